import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { installCommand } from '../../src/lance/install-command.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'rye install-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function programIn(folder: string, isProject: boolean): string {
  mkdirSync(join(root, folder), { recursive: true })
  if (isProject) writeFileSync(join(root, folder, 'package.json'), '{}')
  return join(root, folder, 'node_modules/ryekit/dist/rye.mjs')
}

it('is for all projects when the program was installed for all of them', () => {
  expect(installCommand(programIn('usr/lib', false), 'a@1 b@2', root)).toBe('npm install --global a@1 b@2')
})

it('is for the project that the program was installed in, wherever it is asked for', () => {
  const program = programIn('team', true)
  const home = join(root, 'team')
  expect(installCommand(program, 'a@1', home)).toBe('npm install a@1')
  expect(installCommand(program, 'a@1', root)).toBe(`npm install --prefix '${home}' a@1`)
  const nested = join(home, 'node_modules/other/node_modules/ryekit/dist/rye.mjs')
  expect(installCommand(nested, 'a@1', home)).toBe('npm install a@1')
})

it('is plain for a checkout', () => {
  expect(installCommand(join(root, 'dist/rye.mjs'), 'a@1', root)).toBe('npm install a@1')
})

it('names the versions that the package asks for', () => {
  const read = (path: string) =>
    readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8')
  const peers: Record<string, string> = JSON.parse(read('package.json')).peerDependencies
  const named = Object.entries(peers).map(([name, version]) => `${name}@${version}`)
  expect(read('src/lance/load-lance.ts')).toContain(`'${named.join(' ')}'`)
})
