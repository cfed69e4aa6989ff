import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ItemFiles } from '../../../src/actions/servers/item-files.ts'
import { missingServer } from '../../../src/actions/servers/missing-server.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'rye-servers-'))
})
afterEach(() => rmSync(root, { recursive: true }))

it('a missing server is told with those that are there', () => {
  const files = new ItemFiles(root)
  expect(missingServer(files, 'memroy')).toMatchObject({
    message: 'no server `memroy` in this project',
    hint: { person: 'the project has none yet: `rye mcp add NAME -- COMMAND` adds one' },
  })
  for (const name of ['git', 'memory']) files.write(`mcp/servers/${name}`, 'x: 1\n')
  expect(missingServer(files, 'memroy')).toMatchObject({
    code: 'ITEM_NOT_FOUND',
    message: 'no server `memroy` in this project; did you mean `memory`?',
    hint: 'the project has `git`, `memory`',
  })
})
