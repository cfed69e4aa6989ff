import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { defaultOwner, readGitUser } from '../../src/user/key-owner.ts'
import { temporaryFolder } from '../files/temporary-folder.ts'

function ownerWith(
  files: Readonly<Record<string, string>>,
  environment: Record<string, string> = {},
): string {
  const home = temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(home, path, '..'), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  return defaultOwner({ home, environment })
}

const ANN = '[user]\n\tname = Ann\n\temail = ann@example.org\n'

describe('the owner of a key, when nobody says', () => {
  it.each([
    [{ '.gitconfig': ANN }, 'Ann <ann@example.org>'],
    [{ '.gitconfig': '[user]\nname = Ann' }, 'Ann'],
    [{ '.gitconfig': '[user]\nemail = ann@example.org' }, 'ann@example.org'],
    [{ '.config/git/config': ANN }, 'Ann <ann@example.org>'],
    [{ '.config/git/config': ANN, '.gitconfig': '[user]\nname = Bea' }, 'Bea <ann@example.org>'],
  ])('is what the global git settings say: %j', (files, owner) => {
    expect(ownerWith(files as unknown as Record<string, string>)).toBe(owner)
  })

  it('is read through a link to settings that are kept elsewhere', () => {
    const [home, elsewhere] = [temporaryFolder(), temporaryFolder()]
    writeFileSync(join(elsewhere, 'gitconfig'), ANN)
    symlinkSync(join(elsewhere, 'gitconfig'), join(home, '.gitconfig'))
    expect(defaultOwner({ home, environment: {} })).toBe('Ann <ann@example.org>')
  })

  it('is the account on this machine without them, and never `local`', () => {
    for (const files of [{}, { '.gitconfig': '[user]\nname = "\u200b"\n' }, { '.gitconfig/x': '' }])
      expect(ownerWith(files)).toMatch(new RegExp(`^[^@]+@${hostname()}$`))
  })

  it('is on one line, without hidden characters, and short', () => {
    expect(ownerWith({ '.gitconfig': '[user]\nname = A\u202enn\u0007 \u200b B\nemail = <a@b>' })).toBe(
      'A nn B <a@b>',
    )
    expect(ownerWith({ '.gitconfig': `[user]\nname = ${'x'.repeat(5000)}` })).toHaveLength(200)
  })

  it.each([
    ['[user]\nname="Ann # B" ; comment', { name: 'Ann # B' }],
    ['[USER]\nName = Ann \\"B\\"', { name: 'Ann "B"' }],
    ['[core]\nname = x\n[user "work"]\nname = y', {}],
    ['[user]\nname = a\nname = b', { name: 'b' }],
    ['[user] name = x', {}],
    ['name = x', {}],
    ['', {}],
  ])('%j says %j', (text, user) => {
    expect(readGitUser(text)).toEqual(user)
  })
})
