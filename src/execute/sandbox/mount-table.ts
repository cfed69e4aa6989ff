// Collects the mounts of a sandbox: one for each path, the strictest that was asked for.
import { type Access, type Mount, nearestAbove } from './bubblewrap-arguments.ts'

const STRICTEST_FIRST: readonly Access[] = ['hidden', 'read-only', 'writable', 'private']

export class MountTable {
  readonly #mounts = new Map<string, Mount>()

  add(path: string, access: Access, kind: Mount['kind'] = 'directory'): void {
    const known = this.#mounts.get(path)
    if (known && STRICTEST_FIRST.indexOf(known.access) <= STRICTEST_FIRST.indexOf(access)) return
    this.#mounts.set(path, { path, kind, access })
  }

  has(path: string): boolean {
    return this.#mounts.has(path)
  }

  /** What a tool may do at a path: as its own mount says, or the most specific one above it, or the root. */
  accessAt(path: string): Access {
    const mount = this.#mounts.get(path) ?? nearestAbove(this.#mounts.values(), path)
    return mount?.access ?? 'read-only'
  }

  /** Whether nothing of the disk can be seen at a path. */
  isCovered(path: string): boolean {
    const access = this.accessAt(path)
    return access === 'private' || access === 'hidden'
  }

  list(): Mount[] {
    return [...this.#mounts.values()]
  }
}
