// Syncs a directory of skills into a table. argv: DIR URI. Says `started` when everything is loaded.
import { findSkillFolders } from '../../../src/scan/index.ts'
import { buildRows, createFingerprint, scanSkills } from '../../../src/skill/index.ts'
import { openSkillTable } from '../../../src/store/index.ts'

const [directory, uri] = process.argv.slice(2)
const fingerprint = createFingerprint()
const folders = [...findSkillFolders(directory!).folders()]
for (const folder of folders) fingerprint.add(folder)
const { skills } = await scanSkills(folders)
const table = await openSkillTable({ uri: uri! })
console.log('started')
await table.sync({ rows: buildRows(skills), fingerprint: fingerprint.digest() })
table.close()
