import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/base/digest.ts'
import { type SignedType, typeOfFolder } from '../../src/item/item-type.ts'
import { printSkillManifest, verifySkill } from '../../src/trust/skill-manifest.ts'
import { SYSTEM_MANIFEST } from '../../src/trust/system-manifest.ts'
import { verify } from '../../src/trust/verify.ts'
import { contextWith, HASH_MARKS } from './samples.ts'

const root = new URL('../../system/.ai/', import.meta.url)
const context = contextWith({ manifest: SYSTEM_MANIFEST, keys: new Map() })
const paths = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile() && !entry.parentPath.includes('__pycache__'))
  .map(entry => `${entry.parentPath}/${entry.name}`.slice(root.pathname.length).replace(/^\//, ''))
const bytesOf = (path: string) => readFileSync(new URL(path, root))

/** Path below its type folder, by type; skills are folders and come apart. */
const items = paths
  .filter(path => !path.startsWith('skills/'))
  .map(path => ({
    path,
    type: typeOfFolder(path.slice(0, path.indexOf('/'))) as SignedType,
    id: path.slice(path.indexOf('/') + 1).replace(/\.[^./]+$/, ''),
    extension: /\.[^./]+$/.exec(path)![0],
  }))
const skills = paths
  .filter(path => path.startsWith('skills/') && path.endsWith('/SKILL.md'))
  .map(path => path.slice('skills/'.length, -'/SKILL.md'.length))

describe('the manifest of system items (if stale: node scripts/system-manifest.mjs)', () => {
  it('holds every bundled item and nothing else', () => {
    const names = [
      ...items.map(({ type, id, extension }) => `${type}:${id}${extension}`),
      ...skills.map(id => `skill:${id}`),
    ]
    expect([...SYSTEM_MANIFEST.keys()].sort()).toEqual([...new Set(names)].sort())
  })

  it('verifies every bundled item and skill under its own name and no other', () => {
    expect(items.length).toBeGreaterThan(0)
    for (const { path, type, id, extension } of items) {
      const file = { type, id, extension, bytes: bytesOf(path), format: HASH_MARKS }
      expect([path, verify(file, context).format]).toEqual([path, 'manifest'])
      expect(verify({ ...file, id: `${id}x` }, context).status).not.toBe('verified')
      expect(verify({ ...file, extension: '.sh' }, context).status).not.toBe('verified')
    }
    for (const id of skills) {
      const own = paths.filter(path => path.startsWith(`skills/${id}/`))
      const files = new Map(own.map(path => [path.slice(`skills/${id}/`.length), sha256Hex(bytesOf(path))]))
      expect(printSkillManifest(files)).not.toBe('')
      expect([id, verifySkill({ id, files }, context).format]).toEqual([id, 'manifest'])
    }
  })
})
