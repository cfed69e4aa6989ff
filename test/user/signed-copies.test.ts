import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
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

it('keeps some two thousand, the newest', () => {
  mkdirSync(join(folder, 'signed'))
  for (let index = 0; index < 3000; index++) {
    const path = join(folder, 'signed', `${index.toString(16).padStart(40, 'f')}.json`)
    writeFileSync(path, '')
    utimesSync(path, 1000 + index, 1000 + index)
  }
  const items = Array.from({ length: 400 }, (_, index) => `tool:n${index}`)
  const swept = new Set<string>()
  for (const item of items) keepSigned(folder, item, { timestamp, files: files('one') }, swept)
  const names = readdirSync(join(folder, 'signed'))
  expect(names.length).toBeGreaterThanOrEqual(2000)
  expect(names.length).toBeLessThan(2400)
  for (const item of items) expect(readSigned(folder, item)).toBeDefined()
  expect(names).toContain(`${(2999).toString(16).padStart(40, 'f')}.json`)
  expect(names).not.toContain(`${(0).toString(16).padStart(40, 'f')}.json`)
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
