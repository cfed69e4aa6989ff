// Where npm's settings are read, and which of a project's settings count.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readNpmFiles } from '../../src/registry/read-settings.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rye-npmrc-'))
  for (const folder of ['home', 'project', 'node/bin', 'node/etc'])
    mkdirSync(join(root, folder), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const read = (environment: Record<string, string> = {}) =>
  readNpmFiles({
    environment,
    home: join(root, 'home'),
    projectPath: join(root, 'project'),
    nodePath: join(root, 'node/bin/node'),
  })
const write = (path: string, text: string) => writeFileSync(join(root, path), text)

it('asks variables, then the user, then the installation; files of the user may be links', () => {
  write('home/kept', `//a.test/:_authToken=$\{A}\n`)
  symlinkSync(join(root, 'home/kept'), join(root, 'home/.npmrc'))
  write('node/etc/npmrc', 'registry=https://b.test/\n')
  const { own } = read({ A: 'token', npm_config_proxy: 'http://p:1' })
  expect(own.map(layer => Object.fromEntries(layer))).toEqual([
    { proxy: ['http://p:1'] },
    { '//a.test/:_authToken': ['token'] },
    { registry: ['https://b.test/'] },
  ])
  write('other', 'registry=https://c.test/\n')
  expect(read({ NPM_CONFIG_USERCONFIG: join(root, 'other') }).own[1]!.get('registry')).toEqual([
    'https://c.test/',
  ])
})

it('takes registries of a project, and no token, proxy, certificate or variable', () => {
  write(
    'project/.npmrc',
    `registry=https://a.test/$\{SECRET}\n@team:registry=https://b.test/\n//a.test/:_authToken=x\nproxy=http://p\ncafile=/x\n`,
  )
  expect(Object.fromEntries(read({ SECRET: 'token' }).project)).toEqual({
    registry: [`https://a.test/$\{SECRET}`],
    '@team:registry': ['https://b.test/'],
  })
})

it('has certificates from a file or a value, and does without neither in silence', () => {
  write('home/ca.pem', 'BEGIN CERTIFICATE')
  write('home/.npmrc', 'cafile=~/ca.pem\n')
  expect(read().ca).toBe('BEGIN CERTIFICATE')
  write('home/.npmrc', 'ca[]="BEGIN CERTIFICATE 1"\nca[]="BEGIN CERTIFICATE 2"\n')
  expect(read().ca).toBe('BEGIN CERTIFICATE 1\nBEGIN CERTIFICATE 2')
  write('home/.npmrc', 'cafile=/nothing/here.pem\n')
  expect(() => read()).toThrow('there is no file `/nothing/here.pem`')
})
