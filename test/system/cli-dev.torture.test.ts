// `rye dev` in a real terminal: files are saved, keys are pressed.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startInTerminal } from './in-terminal.ts'
import { makePlace, type Place } from './run-rye.ts'

let place: Place
beforeEach(() => {
  place = makePlace()
})
afterEach(() => {
  place.remove()
})

/** Replaces the file at once, as many editors do, so that no reader sees half of it. */
function save(file: string, text: string): void {
  const aside = join(place.root, 'saved')
  writeFileSync(aside, text)
  renameSync(aside, file)
}

const start = (words: readonly string[], env: Record<string, string> = {}) =>
  startInTerminal(place, ['dev', ...words], env)

it('validates on save, signs at a key press, and runs the call again', async () => {
  await place.rye(['init'])
  await place.rye(['new', 'tool', 'ops/say', '--command', 'echo hello'])
  const file = join(place.project, '.ai/tools/ops/say.yaml')
  const dev = start(['tool:ops/say'])
  await dev.until(/hello\r?\n/)

  const signed = readFileSync(file, 'utf8')
  save(file, signed.replace('version: "1.0.0"', 'version: [1'))
  expect(await dev.until(/✗ .*\r?\n/)).toMatch(/✗ \.ai\/tools\/ops\/say\.yaml:\d+:\d+ /)
  save(file, signed.replace('version: "1.0.0"', 'version: soon'))
  const line = signed.split('\n').findIndex(text => text.startsWith('version:')) + 1
  expect(await dev.until(/✗ .*\r?\n/)).toContain(
    `✗ .ai/tools/ops/say.yaml:${line}:1 Field 'version' must be semver format`,
  )

  save(file, signed.replace('"hello"', '"good day"'))
  await dev.until(/press s to sign tool:ops\/say@project/)
  expect(readFileSync(file, 'utf8').split('\n')[0]).toBe(signed.split('\n')[0])
  dev.press('s')
  await dev.until(/signed ops\/say[\s\S]*good day\r?\n/)
  dev.press('r')
  await dev.until(/good day\r?\n/)
  dev.press('q')
  expect(await dev.status()).toBe(0)
  expect((await place.rye(['verify', 'tool:ops/say'])).status).toBe(0)
})

it('sees the files beside a tool that it names, and signs them, too', async () => {
  await place.rye(['init'])
  await place.rye(['new', 'tool', 'ops/say'])
  const [tool, lib] = ['say', '_lib'].map(name => join(place.project, `.ai/tools/ops/${name}.ts`))
  const text = readFileSync(tool!, 'utf8').replace('\n', "\nimport { greeting } from './_lib.ts'\n")
  save(tool!, text.replace('`hello ', 'greeting + ` '))
  save(lib!, "export const greeting = 'good day'\n")
  await place.rye(['sign', 'tool:ops/*'])
  const dev = start(['tool:ops/say'])
  await dev.until(/good day world/)
  save(lib!, readFileSync(lib!, 'utf8').replace('day', 'night'))
  await dev.until(/press s to sign tool:ops\/_lib@project/)
  dev.press('s')
  await dev.until(/good night world/)
  save(tool!, `// above the signature\n${readFileSync(tool!, 'utf8')}`)
  await dev.until(/malformed: rye sign\s+tool:ops\/say@project\s+--take-over/)
  dev.press('q')
  expect(await dev.status()).toBe(0)
})

it('in development mode needs no signature, and ends with 130 at Ctrl-C', async () => {
  await place.rye(['init'])
  const file = join(place.project, '.ai/tools/say.yaml')
  await place.rye(['new', 'tool', 'say', '--command', 'echo hello'])
  const dev = start(['tool:say'], { RYE_DEV_MODE: '1' })
  await dev.until(/hello\r?\n/)
  save(file, readFileSync(file, 'utf8').replace('"hello"', '"good day"'))
  await dev.until(/good day\r?\n/)
  dev.press('\u0003')
  expect(await dev.status()).toBe(130)
})

it('without an item runs nothing by itself, and at a key what was last run', async () => {
  await place.rye(['init'])
  await place.rye(['new', 'tool', 'ops/say', '--command', 'echo hello'])
  await place.rye(['execute', 'hello/greet', '--param', 'who=Ada'])
  const dev = start([])
  await dev.until(/watching .*q ends/)
  dev.press('r')
  await dev.until(/tool:hello\/greet@project was run with parameters/)
  await place.rye(['execute', 'ops/say'])
  dev.press('r')
  await dev.until(/\$ rye execute tool:ops\/say@project[\s\S]*hello\r?\n/)
  // From now on it runs after each change, as if it had been named.
  await place.rye(['new', 'knowledge', 'ops/notes'])
  await dev.until(/\$ rye execute tool:ops\/say@project[\s\S]*hello\r?\n/)
  dev.press('q')
  expect(await dev.status()).toBe(0)
})
