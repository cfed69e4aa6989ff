// Which starts leave their compiled code to the next one.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type CodeCache, describeCodeCache, type NewCode, readCode } from '../../src/program/code-cache.ts'
import { createCodeWriter } from '../../src/program/code-writer.ts'

function newCode(): { cache: CodeCache; code: NewCode; made: () => number } {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'rye-writer-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const program = join(root, 'dist', 'program.cjs')
  mkdirSync(join(root, 'dist'))
  writeFileSync(program, '1')
  const cache = describeCodeCache(program, 'search', { HOME: root })
  let made = 0
  return { cache, code: { cache, make: () => Buffer.from(`code ${++made}`) }, made: () => made }
}

it('the code of a start is kept once', async () => {
  const { cache, code, made } = newCode()
  const writer = createCodeWriter(() => [code])
  await Promise.all([writer.keep(), writer.keep()])
  await writer.keep()
  expect(readCode(cache)?.toString()).toBe('code 1')
  expect(made()).toBe(1)
})

it('what a start compiles later is kept with the rest', async () => {
  const [first, second] = [newCode(), newCode()]
  const compiled = [first.code]
  const writer = createCodeWriter(() => compiled)
  compiled.push(second.code)
  await writer.keep()
  expect([first, second].map(({ cache }) => readCode(cache)?.toString())).toEqual(['code 1', 'code 1'])
})

it('a start that builds an index leaves nothing, however long it takes', async () => {
  const { cache, code, made } = newCode()
  const writer = createCodeWriter(() => [code])
  writer.drop()
  await writer.keep()
  expect(readCode(cache)).toBeUndefined()
  expect(made()).toBe(0)
})

it('a start from the code of an earlier one has nothing to keep', async () => {
  const writer = createCodeWriter(() => [])
  writer.drop()
  await expect(writer.keep()).resolves.toBeUndefined()
})
