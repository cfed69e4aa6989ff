// Decides which files are beside a tool when it runs. A tool runs from a private copy of verified bytes, so a
// sibling that is not copied does not exist for it: whatever is in the folder, nothing unverified can be
// imported.
// An active anchor makes the folder a package, in which every file must verify. Without one, a sibling is
// copied if the tool names it.
import { dirname, join } from 'node:path'
import { AppError, type ErrorCode, isRecord, type JsonObject } from '../../base/index.ts'
import { SKIPPED_FOLDERS, type Space } from '../../item/index.ts'
import type { VerdictStatus } from '../../trust/index.ts'
import { declaredIn } from '../configuration/configuration.ts'
import type { CopiedFile, LeftOut, SiblingSource, VerifiedTool } from '../types.ts'
import { siblingNames } from './sibling-names.ts'

/** The folder inside a private copy that holds the files of a runtime's `lib`, apart from the tool's own. */
export const LIB_FOLDER = '.rye-lib'

const MAX_FILES = 1000
const MAX_BYTES = 50_000_000

export interface ToolFiles {
  readonly files: readonly (CopiedFile & { readonly digest: string })[]
  /** The folder that the files come from, except those of a runtime's `lib`. */
  readonly root: string
  /** The tool's path, relative to `root`. */
  readonly toolPath: string
  readonly leftOut: readonly LeftOut[]
  /** The anchor's declaration if it is active, so that its `cwd` and `env_paths` apply; null otherwise. */
  readonly anchor: JsonObject | null
  readonly hasLib: boolean
}

export async function collectFiles(
  elements: readonly VerifiedTool[],
  source: SiblingSource,
): Promise<ToolFiles> {
  const tool = elements[0]!
  const owner = elements.find(element => isRecord(declaredIn(element, 'anchor')))
  const declared = (owner?.metadata.anchor ?? {}) as JsonObject // checked by `find`
  const rules = readRules(elements)
  const toolDirectory = dirname(tool.path)
  const beside = await source.list(toolDirectory, { recursive: false, links: 'skip' })
  const isActive = isAnchorActive(declared, beside)
  const collector = new Collector(tool, source)
  const usesParent = isActive && declared.root === 'tool_parent' && tool.id.split('/').length > 2
  const root = usesParent ? dirname(toolDirectory) : toolDirectory
  const toolPath = tool.path.slice(root.length + 1).replaceAll('\\', '/')
  collector.add(toolPath, tool)
  if (isActive && rules.enabled && rules.scope !== 'tool_file') {
    const base = rules.scope === 'anchor' ? root : toolDirectory
    await collector.addPackage(base, root, rules)
  } else if (rules.scope !== 'tool_file') {
    await collector.addNamed(toolDirectory, beside, rules)
  }
  const lib = declared.enabled === false ? undefined : declared.lib
  if (owner !== undefined && typeof lib === 'string') {
    checkRelative(lib, owner.id)
    await collector.addLib(owner, join(dirname(owner.path), lib), rules)
  }
  const anchor = isActive ? declared : null
  return { ...collector.result(), root, toolPath, anchor, hasLib: typeof lib === 'string' }
}

interface DependencyRules {
  readonly enabled: boolean
  readonly scope: string
  readonly recursive: boolean
  readonly extensions: ReadonlySet<string>
  readonly excluded: ReadonlySet<string>
}

function readRules(elements: readonly VerifiedTool[]): DependencyRules {
  const owner = elements.find(element => isRecord(declaredIn(element, 'verify_deps')))
  const declared = (owner?.metadata.verify_deps ?? {}) as JsonObject // checked by `find`
  const extensions = textList(declared.extensions)
  return {
    enabled: declared.enabled !== false,
    scope: typeof declared.scope === 'string' ? declared.scope : 'anchor',
    recursive: declared.recursive !== false,
    extensions: new Set(extensions.length === 0 ? [elements[0]!.extension] : extensions),
    excluded: new Set([...SKIPPED_FOLDERS, ...textList(declared.exclude_dirs)]),
  }
}

/** Whether the anchor could be active for some tool. */
export function mayBecomeActive(anchor: Readonly<Record<string, unknown>>): boolean {
  return isAnchorActive(anchor, textList(anchor.markers_any))
}

function isAnchorActive(anchor: Readonly<Record<string, unknown>>, beside: readonly string[]): boolean {
  if (Object.keys(anchor).length === 0 || anchor.enabled === false || anchor.mode === 'never') return false
  if (anchor.mode === 'always') return true
  return textList(anchor.markers_any).some(marker => beside.includes(marker))
}

/** Collects files within the limits; a path is added once. */
class Collector {
  readonly #files = new Map<string, CopiedFile & { digest: string }>()
  readonly #leftOut: LeftOut[] = []
  readonly #tool: VerifiedTool
  readonly #source: SiblingSource
  #bytes = 0

  constructor(tool: VerifiedTool, source: SiblingSource) {
    this.#tool = tool
    this.#source = source
  }

  add(path: string, file: { readonly bytes: Uint8Array; readonly digest: string }): void {
    this.#files.set(path, { path, bytes: file.bytes, digest: file.digest })
    this.#bytes += file.bytes.length
    if (this.#files.size > MAX_FILES || this.#bytes > MAX_BYTES) {
      throw new AppError(
        'CHAIN_INVALID',
        `\`${this.#tool.id}\` has more than ${MAX_FILES} files or ${MAX_BYTES} bytes beside it`,
      )
    }
  }

  /** Every file of a package must verify: the tool may import any of them by a computed name. */
  async addPackage(base: string, root: string, rules: DependencyRules): Promise<void> {
    const prefix = base === root ? '' : `${base.slice(root.length + 1).replaceAll('\\', '/')}/`
    const recursive = rules.recursive && rules.scope !== 'tool_siblings'
    for (const path of await this.#list(base, recursive, rules)) {
      if (this.#files.has(prefix + path)) continue
      this.add(prefix + path, await this.#readStrictly(join(base, path), this.#tool))
    }
  }

  /** Adds the files of the same folder that are named by the tool or by a file already added. */
  async addNamed(directory: string, beside: readonly string[], rules: DependencyRules): Promise<void> {
    const waiting = new Set(
      beside
        .filter(path => !this.#files.has(path) && isWanted(path, rules))
        .map(path => checkRelative(path, this.#tool.id)),
    )
    const pending = [siblingNames(this.#tool.path, this.#tool.bytes)]
    for (let names = pending.pop(); names !== undefined; names = pending.pop()) {
      for (const path of [...waiting].filter(names)) {
        waiting.delete(path)
        const file = await this.#source.read(join(directory, path), this.#tool.space)
        if (this.#isAccepted(file.verdict.status, this.#tool.space)) {
          this.add(path, file)
          pending.push(siblingNames(path, file.bytes))
        } else this.#leftOut.push({ path, reason: file.verdict.status })
      }
    }
  }

  async addLib(owner: VerifiedTool, directory: string, rules: DependencyRules): Promise<void> {
    for (const path of await this.#list(directory, true, rules)) {
      this.add(`${LIB_FOLDER}/${path}`, await this.#readStrictly(join(directory, path), owner))
    }
  }

  result(): { files: (CopiedFile & { digest: string })[]; leftOut: LeftOut[] } {
    const files = [...this.#files.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
    return { files, leftOut: this.#leftOut }
  }

  async #list(directory: string, recursive: boolean, rules: DependencyRules): Promise<string[]> {
    const listed = await this.#source.list(directory, { recursive, links: 'refuse' })
    return listed.filter(path => isWanted(checkRelative(path, this.#tool.id), rules)).sort()
  }

  async #readStrictly(path: string, owner: VerifiedTool): Promise<{ bytes: Uint8Array; digest: string }> {
    const file = await this.#source.read(path, owner.space)
    const { status, reason } = file.verdict
    if (this.#isAccepted(status, owner.space)) return file
    throw new AppError(
      REFUSALS[status],
      `${path}, a dependency of \`${this.#tool.id}\`, is ${status}${reason ? `: ${reason}` : ''}`,
      {
        hint: {
          agent: 'read it, then `sign` it or remove it',
          person: 'sign it with `rye sign`, or remove it',
        },
      },
    )
  }

  /** In development mode the project's files, like its tools, need no signature. */
  #isAccepted(status: VerdictStatus, space: Space): boolean {
    if (status === 'verified') return true
    return status === 'unsigned' && space === 'project' && this.#source.acceptsUnsigned === true
  }
}

const REFUSALS: Record<VerdictStatus, ErrorCode> = {
  verified: 'CHAIN_INVALID',
  unsigned: 'ITEM_UNSIGNED',
  untrusted: 'ITEM_UNTRUSTED',
  tampered: 'ITEM_TAMPERED',
  malformed: 'ITEM_MALFORMED',
}

function isWanted(path: string, rules: DependencyRules): boolean {
  const folders = path.split('/').slice(0, -1)
  const dot = path.lastIndexOf('.')
  const extension = dot === -1 ? '' : path.slice(dot).toLowerCase()
  return rules.extensions.has(extension) && !folders.some(folder => rules.excluded.has(folder))
}

/** A path must lie below its directory; any other would be copied to, or read from, another place. */
function checkRelative(path: string, id: string): string {
  const parts = path.split('/')
  const isBad = parts.some(
    part => part === '' || part === '.' || part === '..' || /[\\\0]|^[A-Za-z]:/.test(part),
  )
  if (!isBad && parts[0] !== LIB_FOLDER) return path
  throw new AppError('CHAIN_INVALID', `\`${id}\`: \`${path}\` points outside of its folder`)
}

function textList(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(entry => typeof entry === 'string') : []
}
