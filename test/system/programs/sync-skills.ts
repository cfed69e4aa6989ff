// Syncs a directory of skills into a table. argv: DIR URI. Prints `started` when there is something to do.
import { collectRows, isUnchanged } from '../../../src/skills/table/collect-rows.ts'
import { openSkillTable } from '../../../src/skills/table/lance/skill-table.ts'
import { foldersIn } from '../../skills/library.ts'

const [directory, uri] = process.argv.slice(2)
const folders = foldersIn(directory!)
const table = openSkillTable({ uri: uri! })
const known = (await table.recall())?.folders
if (known && isUnchanged(folders, known)) console.log('unchanged')
else {
  const collected = await collectRows(folders, known)
  console.log('started')
  await table.sync(collected)
}
table.close()
