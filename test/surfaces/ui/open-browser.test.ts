// How the browser is asked to open an address, with stand-ins for the system's programs.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
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
  const planted = mkdtempSync(join(folder, 'planted-'))
  writeFileSync(join(planted, 'xdg-open'), '#!/bin/sh\n', { mode: 0o755 })
  // The program in the absolute folder, which comes later, is used.
  const before = `${relative(process.cwd(), planted)}:`
  expect(await opened('xdg-open', 'linux', before)).toEqual({ words: `${ADDRESS}\n`, input: '' })
})

it('without a browser nothing happens', () => {
  expect(() => openBrowser(ADDRESS, { PATH: folder }, 'linux')).not.toThrow()
})
