// Remembers skills that were read whole and verified, as their signed digests, and skills that were refused,
// with the reason. A client reads the files of a skill one by one; each is then read alone and compared with
// its digest, as long as no file of the folder was written and the user trusts the same keys. No content is
// kept: what is served was just read, and is what was signed.
import { dirname } from 'node:path'
import type { Skill } from '@modelcontextprotocol/server/ext/skills'
import { AppError, type ErrorCode, sha256Hex } from '../../base/index.ts'
import { readFile } from '../../files/index.ts'
import { stampWalk, WALK_LIMITS, walk } from '../../scan/index.ts'
import type { SharedView } from '../../workspace/index.ts'
import { parseSkillUri } from './skill-uri.ts'

type Found = ReturnType<SharedView['find']>

interface KnownSkill {
  /** Stamp of the files in its folder. */
  readonly stamp: string
  readonly outcome: Skill | AppError
}

export interface SkillPart {
  readonly bytes: Uint8Array
  readonly meta: Skill['_meta']
}

/** The total over all skills, so that memory is bounded however many files each has. */
const MAX_FILES = 100_000
/** Refusals that remain true while the files and the keys stay the same. */
const LASTING: readonly ErrorCode[] = [
  'ITEM_UNSIGNED',
  'ITEM_TAMPERED',
  'ITEM_UNTRUSTED',
  'VALIDATION_FAILED',
]

export class KnownSkills {
  readonly #known = new Map<string, KnownSkill>()
  readonly #maxFiles: number
  #files = 0
  #keys: SharedView['trust']['keys'] | undefined

  constructor(maxFiles = MAX_FILES) {
    this.#maxFiles = maxFiles
  }

  /**
   * The stamp of a skill's folder; undefined while a file may still be changing. Take it before the skill is
   * read.
   */
  stamp({ entry }: Found): string | undefined {
    const folder = dirname(entry.path)
    return stampWalk(folder, walk(folder, { everything: true, root: entry.base }))
  }

  /** The file, if it is known to be what was signed; undefined if the whole skill has to be verified. */
  read(view: SharedView, found: Found, path: string, stamp: string | undefined): SkillPart | undefined {
    const entry = this.outcome(view, found, stamp)
    if (!entry || entry instanceof AppError) return undefined
    const digest = digestOf(entry, found, path)
    if (digest === undefined) return undefined
    const bytes = readPart(found, path)
    return bytes && `sha256:${sha256Hex(bytes)}` === digest ? { bytes, meta: entry._meta } : undefined
  }

  /**
   * The remembered entry or refusal, if no file of the folder was written since; undefined if the skill has
   * to be verified.
   */
  outcome(view: SharedView, found: Found, stamp: string | undefined): Skill | AppError | undefined {
    if (view.trust.keys !== this.#keys) this.close()
    this.#keys = view.trust.keys
    const known = stamp === undefined ? undefined : this.#known.get(keyOf(found))
    return known?.stamp === stamp ? known?.outcome : undefined
  }

  /**
   * Keeps the outcome of a skill that was read after its stamp was taken, unless another call has seen other
   * keys meanwhile.
   */
  remember(view: SharedView, found: Found, stamp: string | undefined, outcome: Skill | AppError): void {
    const key = keyOf(found)
    this.#forget(key)
    if (stamp === undefined || view.trust.keys !== this.#keys) return
    if (outcome instanceof AppError ? !LASTING.includes(outcome.code) : outcome.resources === 'dynamic')
      return
    this.#known.set(key, { stamp, outcome })
    this.#files += countFiles(outcome)
    for (const oldest of this.#known.keys()) {
      if (this.#files <= this.#maxFiles) break
      this.#forget(oldest)
    }
  }

  close(): void {
    this.#known.clear()
    this.#files = 0
  }

  #forget(key: string): void {
    const known = this.#known.get(key)
    if (!known) return
    this.#known.delete(key)
    this.#files -= countFiles(known.outcome)
  }
}

/** A refusal takes about as much memory as a file. */
function countFiles(outcome: Skill | AppError): number {
  if (outcome instanceof AppError) return 1
  return outcome.resources === 'dynamic' ? 0 : outcome.resources.length
}

function digestOf({ resources }: Skill, { entry }: Found, path: string): string | undefined {
  if (resources === 'dynamic') return undefined
  const above = entry.id.split('/').length
  return resources.find(({ uri }) => parseSkillUri(uri)?.slice(above).join('/') === path)?.digest
}

/** Includes what the skill shadows, because that is served with each file too. */
function keyOf({ entry, shadows }: Found): string {
  return JSON.stringify([entry.path, entry.id, entry.space, shadows.map(one => one.space)])
}

function readPart({ entry }: Found, path: string): Uint8Array | undefined {
  try {
    const options = { maxBytes: WALK_LIMITS.fileBytes, root: entry.base }
    return readFile(`${dirname(entry.path)}/${path}`, options)?.bytes
  } catch (thrown) {
    if (thrown instanceof AppError) return undefined
    throw thrown
  }
}
