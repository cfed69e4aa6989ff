// The items of MCP servers in a project, as files. Ids are made from checked names, and no folder on the way
// may be a link.
import { dirname, join } from 'node:path'
import { AppError, systemErrorCode } from '../../base/index.ts'
import {
  atomicWrite,
  openFolder,
  readFile,
  removeEmptyFolder,
  removeFile,
  writeAll,
} from '../../files/index.ts'
import { folderOf } from '../../item/index.ts'

const MOST_BYTES = 2_000_000
const ENDING = '.yaml'

export class ItemFiles {
  readonly #root: string
  readonly #swept = new Set<string>()

  constructor(projectPath: string) {
    this.#root = projectPath
  }

  /** Ids of the items directly in a category, without those in folders below it. */
  ids(category: string): string[] {
    return this.#names(dirname(this.#path(`${category}/x`)))
      .filter(name => name.endsWith(ENDING))
      .sort()
      .map(name => `${category}/${name.slice(0, -ENDING.length)}`)
  }

  has(id: string): boolean {
    return this.ids(dirname(id)).includes(id)
  }

  read(id: string): string {
    return readFile(this.#path(id), { maxBytes: MOST_BYTES, root: this.#root })?.bytes.toString('utf8') ?? ''
  }

  write(id: string, text: string): void {
    atomicWrite(this.#path(id), text, { root: this.#root, swept: this.#swept })
  }

  /** Writes all items or none. */
  writeAll(items: ReadonlyMap<string, string>): void {
    const files = Array.from(items, ([id, text]) => [this.#path(id), Buffer.from(text)] as const)
    writeAll(new Map(files), { root: this.#root })
  }

  /** Returns false if there was no such item. */
  remove(id: string): boolean {
    const path = this.#path(id)
    const isRemoved = removeFile(path, { root: this.#root })
    if (isRemoved) removeEmptyFolder(dirname(path), { root: this.#root })
    return isRemoved
  }

  #path(id: string): string {
    return `${join(this.#root, '.ai', folderOf('tool'), ...id.split('/'))}${ENDING}`
  }

  #names(path: string): string[] {
    try {
      const folder = openFolder(path, this.#root)
      try {
        return folder.names()
      } finally {
        folder.close()
      }
    } catch (thrown) {
      if (systemErrorCode(thrown) === 'ENOENT') return []
      throw new AppError('FILE_UNREADABLE', `cannot read \`${path}\`: ${(thrown as Error).message}`, {
        cause: thrown,
      })
    }
  }
}
