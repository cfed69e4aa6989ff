// Skills that were read whole and verified, kept as the digests that were signed. A client reads the files of a skill one by one;
// each is then read alone and compared with its digest, as long as no file of the folder was written and the user trusts the
// same keys. No content is kept: what is served was just read, and is what was signed.
import { dirname } from 'node:path'
import type { Skill } from '@modelcontextprotocol/server/ext/skills'
import { AppError, sha256Hex } from '../../base/index.ts'
import { readFile } from '../../files/index.ts'
import { stampWalk, WALK_LIMITS, walk } from '../../scan/index.ts'
import type { SharedView } from '../../workspace/index.ts'
import { parseSkillUri } from './skill-uri.ts'

type Found = ReturnType<SharedView['find']>

interface KnownSkill {
  /** Of the files of its folder. */
  readonly stamp: string
  readonly meta: Skill['_meta']
  /** Path below the folder → `sha256:...`. */
  readonly digests: ReadonlyMap<string, string>
}

export interface SkillPart {
  readonly bytes: Uint8Array
  readonly meta: Skill['_meta']
}

const MAX_SKILLS = 64

export class KnownSkills {
  readonly #known = new Map<string, KnownSkill>()
  #keys: SharedView['trust']['keys'] | undefined

  /** The stamp of a skill's folder; undefined while a file is not settled. To be taken before the skill is read. */
  stamp({ entry }: Found): string | undefined {
    const folder = dirname(entry.path)
    return stampWalk(folder, walk(folder, { everything: true, root: entry.base }))
  }

  /** The file, if it is known to be what was signed; undefined if the whole skill has to be verified. */
  read(view: SharedView, found: Found, path: string, stamp: string | undefined): SkillPart | undefined {
    if (view.trust.keys !== this.#keys) this.#known.clear()
    this.#keys = view.trust.keys
    const known = this.#known.get(keyOf(found))
    const digest = known?.digests.get(path)
    if (!known || digest === undefined || known.stamp !== stamp) return undefined
    const bytes = readQuietly(found, path)
    return bytes && `sha256:${sha256Hex(bytes)}` === digest ? { bytes, meta: known.meta } : undefined
  }

  /** Keeps the entry of a skill that was verified after its stamp was taken, unless another call has seen other keys meanwhile. */
  remember(
    view: SharedView,
    found: Found,
    stamp: string | undefined,
    { resources, _meta: meta }: Skill,
  ): void {
    const key = keyOf(found)
    this.#known.delete(key)
    if (stamp === undefined || resources === 'dynamic' || view.trust.keys !== this.#keys) return
    const above = found.entry.id.split('/').length
    const digests = resources.map(({ uri, digest }): [string, string] => [
      parseSkillUri(uri)!.slice(above).join('/'),
      digest,
    ])
    this.#known.set(key, { stamp, meta, digests: new Map(digests) })
    const [oldest] = this.#known.keys()
    if (this.#known.size > MAX_SKILLS && oldest !== undefined) this.#known.delete(oldest)
  }

  close(): void {
    this.#known.clear()
  }
}

/** With what it shadows: that is served with a file, too. */
function keyOf({ entry, shadows }: Found): string {
  return JSON.stringify([entry.path, entry.id, entry.space, shadows.map(one => one.space)])
}

function readQuietly({ entry }: Found, path: string): Uint8Array | undefined {
  try {
    const options = { maxBytes: WALK_LIMITS.fileBytes, root: entry.base }
    return readFile(`${dirname(entry.path)}/${path}`, options)?.bytes
  } catch (thrown) {
    if (thrown instanceof AppError) return undefined
    throw thrown
  }
}
