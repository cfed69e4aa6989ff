import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { keepSigned, readSigned } from '../../src/user/signed-copies.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rye-signed-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const timestamp = '2026-02-03T04:05:06Z'
const files = (text: string) => new Map([['a.py', Buffer.from(text)]])

it('keeps the last text of each item', () => {
  keepSigned(folder, 'tool:a', { timestamp, files: files('one') })
  keepSigned(folder, 'tool:a', { timestamp, files: files('two') })
  keepSigned(folder, 'tool:b', { timestamp, files: files('three') })
  expect(readSigned(folder, 'tool:a')).toEqual({ timestamp, files: { 'a.py': 'two' } })
  expect(readSigned(folder, 'tool:c')).toBeUndefined()
})

it('keeps no bytes that are no text, and nothing that is very long', () => {
  const mixed = new Map([['logo.png', Buffer.from([0, 255])], ...files('text')])
  keepSigned(folder, 'skill:pdf', { timestamp, files: mixed })
  expect(readSigned(folder, 'skill:pdf')?.files).toEqual({ 'a.py': 'text' })
  keepSigned(folder, 'tool:long', { timestamp, files: files('x'.repeat(600_000)) })
  expect(readSigned(folder, 'tool:long')).toBeUndefined()
})

it.each(['', 'no json', '[]', '{"item":"tool:a"}', '{"item":"tool:b","timestamp":"","files":{}}'])(
  'takes %j for nothing',
  text => {
    keepSigned(folder, 'tool:a', { timestamp, files: files('one') })
    const [name] = readdirSync(join(folder, 'signed'))
    writeFileSync(join(folder, 'signed', name!), text)
    expect(readSigned(folder, 'tool:a')).toBeUndefined()
  },
)
