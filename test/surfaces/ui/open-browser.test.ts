// How a browser is asked for an address, with programs in place of those of the system.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openBrowser } from '../../../src/surfaces/ui/open-browser.ts'
import { until } from '../../fixtures/patience.ts'

const ADDRESS = 'http://127.0.0.1:4478/?token=abc'
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rye-open-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function opened(program: string, platform: NodeJS.Platform, before = '') {
  const path = join(folder, program)
  writeFileSync(
    path,
    `#!/bin/sh\nprintf '%s\\n' "$@" > "${folder}/words"\ncat > "${folder}/input"\n: > "${folder}/done"\n`,
  )
  chmodSync(path, 0o755)
  openBrowser(ADDRESS, { PATH: `${before}${folder}:${process.env.PATH}` }, platform)
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  await until(async () => {
    try {
      return read('done') === ''
    } catch {
      return false
    }
  })
  return { words: read('words'), input: read('input') }
}

it('on Linux with xdg-open', async () => {
  expect(await opened('xdg-open', 'linux')).toEqual({ words: `${ADDRESS}\n`, input: '' })
})

it('on macOS by an event, so that the address is on no command line', async () => {
  expect(await opened('osascript', 'darwin')).toEqual({ words: '-\n', input: `open location "${ADDRESS}"\n` })
})

it('never by a search path that begins where we stand', async () => {
  const here = relative(process.cwd(), folder)
  const shown = opened('xdg-open', 'linux', `${here}:`)
  // The absolute folder comes later, and is the one that is used.
  expect(await shown).toEqual({ words: `${ADDRESS}\n`, input: '' })
  rmSync(join(folder, 'done'))
  openBrowser(ADDRESS, { PATH: here }, 'linux')
  await pause(300)
  expect(existsSync(join(folder, 'done'))).toBe(false)
})

it('without a browser nothing happens', () => {
  expect(() => openBrowser(ADDRESS, { PATH: folder }, 'linux')).not.toThrow()
})
