// Package managers' caches: kept per owner, apart from others, and made without following anything that a
// server left behind.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openPackageCaches } from '../../../src/execute/sandbox/package-caches.ts'
import { until } from '../../fixtures/patience.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rye-caches-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const open = (owner: string | undefined) => {
  const caches = openPackageCaches(join(root, 'packages'), owner)!
  return { ...caches, own: caches.writable[0]!, shared: caches.writable[1]! }
}

it('keeps a folder for each owner, and shares the content of npm alone', () => {
  const [first, again, other] = [open('a'), open('a'), open('b')]
  expect(again.own).toBe(first.own)
  expect(other.own).not.toBe(first.own)
  expect(other.shared).toBe(first.shared)
  expect(readlinkSync(join(first.own, 'npm/_cacache/content-v2'))).toBe(first.shared)
  for (const path of Object.values(first.variables)) expect(path.startsWith(`${first.own}/`)).toBe(true)
  expect(Object.keys(first.variables)).toEqual([
    ...['npm_config_cache', 'YARN_CACHE_FOLDER', 'BUN_INSTALL_CACHE_DIR', 'DENO_DIR'],
    ...['UV_CACHE_DIR', 'UV_PYTHON_INSTALL_DIR', 'PIP_CACHE_DIR', 'PIPX_HOME'],
  ])
  expect(readdirSync(join(root, 'packages/servers'))).toHaveLength(2)
})

it('keeps nothing without an owner', async () => {
  const caches = open(undefined)
  writeFileSync(join(caches.own, 'npm/x'), '')
  expect(open(undefined).own).not.toBe(caches.own)
  caches.release()
  await until(() => !existsSync(caches.own))
  open('a').release()
  expect(existsSync(open('a').own)).toBe(true)
})

it('writes nowhere else when a server has put links in its folder', () => {
  const { own } = open('a')
  const outside = join(root, 'outside')
  mkdirSync(outside)
  rmSync(join(own, 'npm'), { recursive: true })
  symlinkSync(outside, join(own, 'npm'))
  open('a')
  expect(readdirSync(outside)).toEqual([])
})

it('removes what was not used for long, when a new one is made', () => {
  const old = open('old').own
  const longAgo = new Date(Date.now() - 31 * 24 * 3_600_000)
  utimesSync(old, longAgo, longAgo)
  open('new')
  expect(existsSync(old)).toBe(false)
})

it('goes without where nothing can be written', () => {
  writeFileSync(join(root, 'packages'), 'a file')
  expect(openPackageCaches(join(root, 'packages'), 'a')).toBeUndefined()
})
