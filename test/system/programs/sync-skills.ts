// Syncs a directory of skills into a table. argv: DIR URI. Says `started` when there is something to do.
import { findSkillFolders } from '../../../src/skills/folders/find-skill-folders.ts'
import { createFingerprint } from '../../../src/skills/read/fingerprint.ts'
import { scanSkills } from '../../../src/skills/read/scan-skills.ts'
import { openSkillTable } from '../../../src/skills/table/lance/skill-table.ts'
import { buildRows } from '../../../src/skills/table/tool-row.ts'

const [directory, uri] = process.argv.slice(2)
const folders = [...findSkillFolders(directory!).folders()]
const content = createFingerprint()
for (const folder of folders) content.add(folder)
const fingerprint = content.digest()
const table = openSkillTable({ uri: uri! })
const unchanged = await table.unchanged({ stamp: undefined, fingerprint: () => fingerprint })
if (unchanged) console.log(`${unchanged.report.unchanged_count} unchanged`)
else {
  const { skills } = await scanSkills(folders)
  const syncing = table.sync({ rows: buildRows(skills), fingerprint })
  console.log('started')
  await syncing
}
table.close()
