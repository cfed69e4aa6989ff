// The bundled tools that search folders, each run through `execute`.
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LibrarySession, openSession } from '../fixtures/library-session.ts'

const FILES = 'rye/file-system'
let session: LibrarySession
beforeAll(async () => {
  session = await openSession()
  writeFileSync(join(session.outside, 'secret.txt'), 'secret\n')
  symlinkSync(session.outside, join(session.project, 'way-out'))
})
afterAll(() => session.close())

const run = (tool: string, parameters?: Record<string, unknown>) => session.execute(tool, parameters)

describe('rye/file-system/ls, glob and grep', () => {
  beforeAll(() => {
    for (const path of ['src/a.ts', 'src/deep/b.tsx', 'src/deep/c.md', 'node_modules/x/d.ts']) {
      session.write(path, `// ${path}\nexport const needle = 1\n`)
    }
    session.write('src/image.png', new Uint8Array([0, 1, 2]))
    session.write('src/odd.txt', new Uint8Array([0xff, 0x6e, 0x65, 0x65, 0x64, 0x6c, 0x65]))
  })

  it('lists folders first, links named and not followed', async () => {
    const { data } = await run(`${FILES}/ls`, { path: 'src' })
    expect(
      data!.entries.map((entry: { kind: string; name: string }) => `${entry.kind} ${entry.name}`),
    ).toEqual(['folder deep', 'file a.ts', 'file image.png', 'file odd.txt'])
    const top = (await run(`${FILES}/ls`, { hidden: false, limit: 2 })).data!
    expect(top).toMatchObject({ path: '.', next_offset: 2 })
    const all = (await run(`${FILES}/ls`)).data!
    expect(all.entries).toContainEqual({ name: 'way-out', kind: 'link' })
    expect((await run(`${FILES}/ls`, { path: 'src/a.ts' })).error).toContain('is not a folder')
  })

  it('finds files by pattern', async () => {
    const files = async (pattern: string, more = {}) =>
      (await run(`${FILES}/glob`, { pattern, ...more })).data!.files
    expect(await files('src/**/*.{ts,tsx}')).toEqual(['src/a.ts', 'src/deep/b.tsx'])
    expect(await files('*.md', { path: 'src' })).toEqual(['src/deep/c.md'])
    expect(await files('src/*')).toEqual(['src/a.ts', 'src/image.png', 'src/odd.txt'])
    expect(await files('**/d.ts')).toEqual([])
    expect(await files('secret.txt')).toEqual([])
    expect(await files('**/**/**/**/*.tsx')).toEqual(['src/deep/b.tsx'])
    expect((await run(`${FILES}/glob`, { pattern: '*', limit: 1 })).data).toMatchObject({ truncated: true })
    expect((await run(`${FILES}/glob`, { pattern: '{a,b}'.repeat(7) })).error).toContain('64 patterns')
  })

  it('finds text in files, not in binary ones, links or installed packages', async () => {
    const { data } = await run(`${FILES}/grep`, { pattern: 'needle', context: 1 })
    expect(
      data!.matches.map((match: { file: string; line: number }) => `${match.file}:${match.line}`),
    ).toEqual(['src/a.ts:2', 'src/odd.txt:1', 'src/deep/b.tsx:2', 'src/deep/c.md:2'])
    expect(data!.matches[0]).toMatchObject({
      text: 'export const needle = 1',
      before: ['// src/a.ts'],
      after: [],
    })
    const grep = async (parameters: object) => (await run(`${FILES}/grep`, { ...parameters })).data!
    expect(
      (await grep({ pattern: 'NEEDLE', ignore_case: true, glob: '*.ts', files_only: true })).files,
    ).toEqual(['src/a.ts'])
    expect((await grep({ pattern: '// src/a.ts', literal: true, path: 'src/a.ts' })).count).toBe(1)
    expect((await grep({ pattern: 'needle', limit: 2 })).truncated).toBe(true)
    expect((await run(`${FILES}/grep`, { pattern: '(' })).error).toContain('no regular expression')
    expect((await grep({ pattern: 'secret' })).count).toBe(0)
  })

  it('understands words of every language, and what Python alone spells in another way', async () => {
    session.write('src/words.txt', 'Äpfel und Birnen\r\nzwei\fdrei\nabab\n')
    const lines = async (pattern: string) =>
      (await run(`${FILES}/grep`, { pattern, path: 'src/words.txt' })).data!.matches.map(
        (match: { line: number; text: string }) => `${match.line} ${match.text}`,
      )
    expect(await lines('\\bÄpfel\\b')).toEqual(['1 Äpfel und Birnen'])
    expect(await lines('^\\w+ \\w+ [\\w]+$')).toEqual(['1 Äpfel und Birnen'])
    expect(await lines('(?i)BIRNEN\\Z')).toEqual(['1 Äpfel und Birnen'])
    expect(await lines('\\A(?P<two>ab)(?P=two)$')).toEqual(['3 abab'])
    expect(await lines('[]]|z{,1}wei')).toEqual(['2 zwei\fdrei'])
  })

  it('bounds a pattern that would never end, and goes on working', async () => {
    session.write('src/slow.txt', `${'a'.repeat(40)}!`)
    const input = {
      item_id: `${FILES}/grep`,
      parameters: { pattern: '(a+)+$', path: 'src/slow.txt' },
      timeout: 1,
    }
    expect(await session.call('execute', input)).toMatchObject({ status: 'error', code: 'EXECUTION_TIMEOUT' })
    expect((await run(`${FILES}/grep`, { pattern: 'needle' })).status).toBe('success')
  })
})
