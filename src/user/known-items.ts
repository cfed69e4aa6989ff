// Which key signed each item that came from elsewhere. The first key stays the known one: another key for the
// same id may mean that somebody stole the name, so the action that brings such an item stops and shows both
// keys. Kept for all projects of the user.
import { join } from 'node:path'
import { AppError, isRecord } from '../base/index.ts'
import { acquireMutex, atomicWrite, readFile } from '../files/index.ts'
import type { ProjectStates } from './project-state.ts'

export interface KnownItem {
  /** Fingerprint of the key. */
  readonly signer: string
  /** Set for an item that came from a registry. */
  readonly package?: string
  readonly registry?: string
}

/** By `TYPE:ID`. */
export interface KnownItems {
  /** Throws `FILE_UNREADABLE` when the file cannot be read: otherwise every key would count as the first. */
  read(): ReadonlyMap<string, KnownItem>
  /** Adds items. An item known with another key is replaced. */
  remember(items: ReadonlyMap<string, KnownItem>): Promise<void>
}

const FILE = 'registry-items.json'
const MAX_BYTES = 16 * 1024 * 1024
const MUTEX = { waitMs: 5_000, holdMs: 10_000 }

export function knownItems(states: ProjectStates, userSpace: string): KnownItems {
  return {
    read() {
      const root = states.find(userSpace)?.path
      return root === undefined ? new Map() : readItems(join(root, FILE))
    },
    async remember(items) {
      const root = (states.find(userSpace) ?? states.make(userSpace)).path
      const path = join(root, FILE)
      const mutex = await acquireMutex(`${path}.lock`, MUTEX)
      try {
        const all = readItems(path)
        for (const [item, known] of items) {
          const before = all.get(item)
          all.set(item, before?.signer === known.signer ? { ...before, ...known } : known)
        }
        const lines = [...all].sort().map(([item, known]) => `  ${JSON.stringify({ item, ...known })}`)
        const text = `{"version":1,"items":[\n${lines.join(',\n')}\n]}\n`
        atomicWrite(path, text, { root, mode: 0o600 })
      } finally {
        mutex.release()
      }
    },
  }
}

function readItems(path: string): Map<string, KnownItem> {
  const text = readFile(path, { maxBytes: MAX_BYTES })?.bytes.toString('utf8')
  if (text === undefined) return new Map()
  const items = parseItems(text)
  if (items !== undefined) return items
  throw new AppError(
    'FILE_UNREADABLE',
    `cannot tell which keys signed other people's items: \`${path}\` is damaged`,
    {
      hint: 'look at the file; once it is removed, every key counts as the first',
    },
  )
}

function parseItems(text: string): Map<string, KnownItem> | undefined {
  try {
    const content: unknown = JSON.parse(text)
    const items = isRecord(content) && content.version === 1 ? content.items : undefined
    if (!Array.isArray(items) || !items.every(isEntry)) return undefined
    return new Map(items.map(({ item, ...known }) => [item, known]))
  } catch {
    return undefined
  }
}

function isEntry(value: unknown): value is KnownItem & { readonly item: string } {
  if (!isRecord(value) || !['item', 'signer'].every(key => typeof value[key] === 'string')) return false
  return ['package', 'registry'].every(key => ['string', 'undefined'].includes(typeof value[key]))
}
