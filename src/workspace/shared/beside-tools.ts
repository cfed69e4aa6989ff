// Which files beside a tool are stored with it: those that it or one of them names, and, in a package,
// everything below its folder. Storing too many only costs space: the machine that runs the tool verifies and
// selects each file again.
import { dirname, join } from 'node:path'
import { AppError } from '../../base/index.ts'
import type { Extractors } from '../../extract/index.ts'
import { readFile } from '../../files/index.ts'
import { importsIn, PACKAGE_MARKERS } from '../../plan/index.ts'
import { type ItemFile, WALK_LIMITS, walk } from '../../scan/index.ts'

const MOST = { files: 1000, bytes: 15_000_000 }

interface Listing {
  readonly directory: string
  readonly isPackage: boolean
  /** Paths by file name, and by name without extension. */
  readonly names: ReadonlyMap<string, readonly string[]>
  readonly paths: ReadonlySet<string>
}

export class BesideTools {
  readonly #extractors: Extractors
  /** The listing of the last tool's folder; the next tool is usually beside it. */
  #last: Listing | undefined

  constructor(extractors: Extractors) {
    this.#extractors = extractors
  }

  /**
   * Files by path relative to the tool's folder, with detached signatures. `own` are the tool's own files.
   */
  read(tool: ItemFile, own: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> {
    const directory = dirname(tool.path)
    if (this.#last?.directory !== directory) this.#last = this.#list(directory, tool.base)
    const { isPackage, names, paths } = this.#last
    const found = new Map<string, Uint8Array>()
    let bytes = 0
    const add = (path: string) => {
      if (own.has(path) || found.has(path) || isOther(path, tool)) return
      const file = readFile(join(directory, path), { maxBytes: WALK_LIMITS.fileBytes, root: tool.base })
      if (!file) return
      found.set(path, file.bytes)
      bytes += file.bytes.length
      if (found.size > MOST.files || bytes > MOST.bytes)
        throw new AppError(
          'FILE_TOO_LARGE',
          `\`${tool.id}\` has more than ${MOST.files} files or ${MOST.bytes} bytes beside it`,
        )
    }
    if (isPackage) for (const path of paths) add(path)
    else {
      const texts = [[tool.path, [...own.values()][0]!] as const]
      for (let next = texts.pop(); next; next = texts.pop()) {
        const { files, stems } = importsIn(next[0], Buffer.from(next[1]).toString('latin1'))
        for (const path of [...files, ...stems].flatMap(name => names.get(name) ?? [])) {
          if (found.has(path)) continue
          add(path)
          if (found.has(path)) texts.push([path, found.get(path)!])
        }
      }
    }
    for (const path of [...found.keys()]) if (paths.has(`${path}.sig`)) add(`${path}.sig`)
    return found
  }

  #list(directory: string, root: string): Listing {
    const formats = this.#extractors.get('tool')!.signatureFormats
    const isKept = (path: string) => formats.has(extensionOf(path)) || path.endsWith('.sig')
    const flat = walk(directory, { underscored: 'take', root, depth: 0 }).files.map(({ path }) => path)
    const isPackage = PACKAGE_MARKERS.some(marker => flat.includes(marker))
    const all = isPackage
      ? walk(directory, { underscored: 'take', root }).files.map(({ path }) => path)
      : flat
    const paths = all.filter(path => isKept(path) || PACKAGE_MARKERS.includes(path))
    const names = new Map<string, string[]>()
    for (const path of paths.filter(one => !one.endsWith('.sig')))
      for (const name of new Set([path, path.slice(0, path.length - extensionOf(path).length)]))
        names.set(name, [...(names.get(name) ?? []), path])
    return { directory, isPackage, names, paths: new Set(paths) }
  }
}

/** A file with the same id and another extension is another tool, and only one of the two can have the id. */
function isOther(path: string, { path: tool, extension }: ItemFile): boolean {
  return path.slice(0, path.length - extensionOf(path).length) === stem(tool, extension)
}

function stem(path: string, extension: string): string {
  return path.slice(dirname(path).length + 1, path.length - extension.length)
}

function extensionOf(path: string): string {
  const dot = path.lastIndexOf('.')
  return dot <= 0 ? '' : path.slice(dot)
}
