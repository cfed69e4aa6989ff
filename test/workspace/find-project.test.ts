import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findProject } from '../../src/workspace/find-project.ts'

const US = process.geteuid?.()
let root: string
let environment: Record<string, string>
beforeEach(() => {
  root = mkdtempSync(join(realpathSync(tmpdir()), 'rye-above-'))
  environment = { HOME: join(root, 'home') }
  for (const folder of ['home/.ai', 'home/code/.ai', 'home/code/a/b', 'home/other/c', 'bare'])
    mkdirSync(join(root, folder), { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function find(folder: string, user = US) {
  const { path, refused } = findProject(environment, join(root, folder), user)
  const short = (full: string) => full.slice(root.length + 1)
  return { path: short(path), ...(refused && { refused: { ...refused, path: short(refused.path) } }) }
}

describe('the project of a folder', () => {
  it.each([
    ['home/code/a/b', 'home/code'],
    ['home/code/a', 'home/code'],
    ['home/code', 'home/code'],
    ['home/code/.ai', 'home/code'],
  ])('%s is the nearest above that has .ai/', (folder, expected) => {
    expect(find(folder)).toEqual({ path: expected })
  })

  it('is the nearest of several', () => {
    mkdirSync(join(root, 'home/code/a/.ai'))
    expect(find('home/code/a/b')).toEqual({ path: 'home/code/a' })
  })

  it.each(['home/other/c', 'home/other', 'bare', 'home/.ai'])(
    '%s is itself where nothing is above it but the home',
    folder => {
      expect(find(folder)).toEqual({ path: folder })
    },
  )

  it('is never the home or the user space, by whatever path they are known, nor what holds them', () => {
    symlinkSync(join(root, 'home'), join(root, 'link'))
    environment = { HOME: join(root, 'link') }
    expect(find('home/other/c')).toEqual({ path: 'home/other/c' })
    environment = { HOME: join(root, 'bare'), USER_SPACE: join(root, 'home') }
    expect(find('home/other/c')).toEqual({ path: 'home/other/c' })
    mkdirSync(join(root, '.ai'))
    expect(find('home/other/c')).toEqual({ path: 'home/other/c' })
  })

  it('is the home where one stands in it', () => {
    expect(find('home')).toEqual({ path: 'home' })
  })

  it.each(['file', 'link'])('is not one whose .ai is a %s', kind => {
    const planted = join(root, 'home/other/.ai')
    if (kind === 'file') writeFileSync(planted, '')
    else symlinkSync(join(root, 'home/code/.ai'), planted)
    expect(find('home/other/c')).toEqual({ path: 'home/other/c' })
  })
})

describe('a folder above is not taken', () => {
  it('from another user', () => {
    expect(find('home/code/a/b', (US ?? 0) + 1)).toEqual({
      path: 'home/code/a/b',
      refused: { path: 'home/code', reason: 'it belongs to another user' },
    })
  })

  it.each(['home/code', 'home/code/.ai'])('where everybody can write to %s', folder => {
    chmodSync(join(root, folder), 0o1777)
    expect(find('home/code/a/b')).toEqual({
      path: 'home/code/a/b',
      refused: { path: 'home/code', reason: 'everybody can write there' },
    })
  })

  it('while one that somebody stands in is', () => {
    expect(find('home/code', (US ?? 0) + 1)).toEqual({ path: 'home/code' })
  })
})

it('a folder that is gone, or a home that cannot be told, is left for the library to report', () => {
  expect(find('home/gone')).toEqual({ path: 'home/gone' })
  environment = { HOME: 'relative' }
  expect(find('home/code/a/b')).toEqual({ path: 'home/code' })
})
