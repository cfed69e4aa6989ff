import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ItemFiles } from '../../../src/actions/servers/item-files.ts'
import { temporaryFolder } from '../../files/temporary-folder.ts'

it('writes all items of a server, or leaves those that were there as they were', () => {
  const project = temporaryFolder()
  const files = new ItemFiles(project)
  files.write('mcp/x/old', 'before')
  mkdirSync(join(project, '.ai/tools/mcp/x/way.yaml'))
  const items = new Map(['mcp/x/new', 'mcp/x/old', 'mcp/x/way'].map(id => [id, 'after']))
  expect(() => files.writeAll(items)).toThrow('mcp/x/way.yaml')
  expect(files.read('mcp/x/old')).toBe('before')
  expect(files.has('mcp/x/new')).toBe(false)
  items.delete('mcp/x/way')
  files.writeAll(items)
  expect(files.ids('mcp/x')).toEqual(['mcp/x/new', 'mcp/x/old', 'mcp/x/way'])
  expect(files.read('mcp/x/old')).toBe('after')
})
