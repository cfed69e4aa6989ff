// Prepares source for Node: blanks out the types of TypeScript, and tells whether a file is a module or
// CommonJS. Results are cached by digest, since they depend on nothing else.
import { readFileSync, realpathSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { extname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { AppError, sha256Hex } from '../../base/index.ts'
import { parseJavaScript } from '../../parse/index.ts'
import type { CopiedFile, PrivateCopy, ProcessInvocation } from '../../plan/index.ts'
import { programsDirectory } from '../process/programs-directory.ts'
import { stripTypes } from './strip-types.ts'

export interface NodeSource {
  readonly text: string
  readonly format: 'module' | 'commonjs'
}

export interface StrippedCopy extends PrivateCopy {
  /** Absolute path → why a file cannot be stripped. Its place is taken by a module that throws this. */
  readonly faults: ReadonlyMap<string, AppError>
}

const MOST_KEPT = 256

export class NodeSources {
  readonly #sources = new Map<string, Promise<NodeSource>>()
  readonly #copies = new Map<string, Promise<StrippedCopy>>()

  read(digest: string, bytes: Uint8Array, filename: string): Promise<NodeSource> {
    return remember(this.#sources, `${digest} ${extname(filename)}`, () => readNodeSource(bytes, filename))
  }

  /** The same copy with its TypeScript files stripped; the names stay. */
  strip(copy: PrivateCopy): Promise<StrippedCopy> {
    return remember(this.#copies, copy.digest, () => stripCopy(copy))
  }
}

async function remember<T>(kept: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = kept.get(key)
  if (known) return known
  const made = make()
  kept.set(key, made)
  const oldest = kept.keys().next()
  if (kept.size > MOST_KEPT && !oldest.done) kept.delete(oldest.value)
  made.catch(() => kept.delete(key))
  return made
}

async function readNodeSource(bytes: Uint8Array, filename: string): Promise<NodeSource> {
  const text = Buffer.from(bytes).toString('utf8')
  const extension = extname(filename)
  if (isTypeScript(filename)) return { text: await strip(bytes, filename), format: 'module' }
  if (extension === '.mjs') return { text, format: 'module' }
  if (extension === '.cjs') return { text, format: 'commonjs' }
  const { program } = await parseJavaScript(text, { language: 'javascript', sourceType: 'unambiguous' })
  return { text, format: program?.sourceType === 'script' ? 'commonjs' : 'module' }
}

async function stripCopy(copy: PrivateCopy): Promise<StrippedCopy> {
  const faults = new Map<string, AppError>()
  const files = await Promise.all(
    copy.files.map(async file => {
      if (file.isData || !isTypeScript(file.path)) return file
      try {
        return { path: file.path, bytes: Buffer.from(await strip(file.bytes, file.path)) }
      } catch (thrown) {
        if (!(thrown instanceof AppError)) throw thrown
        faults.set(join(copy.directory, file.path), thrown)
        if (isOther(file.bytes)) return file
        return { path: file.path, bytes: Buffer.from(throwing(thrown)) }
      }
    }),
  )
  return { ...copy, files, faults }
}

/**
 * Whether a file has only its extension in common with TypeScript: a Qt translation, which is XML, or a
 * video. Programs read it as data.
 */
function isOther(bytes: Uint8Array): boolean {
  return bytes.includes(0) || /^\ufeff?\s*<[?!]/.test(Buffer.from(bytes.subarray(0, 1000)).toString('utf8'))
}

/** `checkSource` in `node-packages.cjs` recognises this. */
function throwing({ message, hint }: AppError): string {
  return `throw new SyntaxError(${JSON.stringify(`${message}; ${hint}`)})\n`
}

/** The package ships its own files stripped already: parsing them costs more than starting their worker. */
async function strip(bytes: Uint8Array, filename: string): Promise<string> {
  const shipped = join(programsDirectory(), 'stripped', `${sha256Hex(bytes)}.js`)
  try {
    return readFileSync(shipped, 'utf8')
  } catch {
    return stripTypes(Buffer.from(bytes).toString('utf8'), filename)
  }
}

function isTypeScript(path: string): boolean {
  return path.endsWith('.ts') || path.endsWith('.mts')
}

export interface NodeFlags {
  readonly args: readonly string[]
  /** What must be readable for them. */
  readonly readable: readonly string[]
}

/**
 * What Node needs to run the invocation's own files; most need nothing. `anchor` is where the author put the
 * tool.
 */
export function nodeFlags(invocation: ProcessInvocation, anchor: string, project: string): NodeFlags {
  const nothing = { args: [], readable: [] }
  const { privateCopy: copy, packages } = invocation
  if (!copy || !/(?:^|[\\/])node(?:\.exe)?$/.test(invocation.command)) return nothing
  const runsOwnFile = copy.files.some(file => invocation.args.includes(join(copy.directory, file.path)))
  if (!runsOwnFile) return nothing
  // If the copy is in the project, Node itself looks for packages there.
  const isInProject = !relative(realpathSync(project), realpathSync(copy.directory)).startsWith('..')
  if (!isInProject && !copy.files.some(needsHooks)) return nothing
  const programs = programsDirectory()
  const install = JSON.stringify(pathToFileURL(join(programs, 'node-packages.cjs')).href)
  const data = JSON.stringify({ copy: copy.directory, anchor, project, ...packages })
  const code = `import packages from ${install}; packages.installHooks(${data})`
  return {
    args: [
      '--no-warnings',
      `--require=${join(programs, 'node-threads.cjs')}`,
      '--import',
      `data:text/javascript,${encodeURIComponent(code)}`,
    ],
    readable: [programs],
  }
}

function needsHooks(file: CopiedFile): boolean {
  return isTypeScript(file.path) || importsPackage(file.bytes)
}

const IMPORTED = /\bfrom\s*['"]([^'"\n]{1,200})['"]|\b(?:import|require)\s*\(?\s*['"]([^'"\n]{1,200})['"]/g

function importsPackage(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString('utf8')
  // The source of a thread may be put together at run time.
  if (text.includes('worker_threads')) return true
  for (const [, first, second] of text.matchAll(IMPORTED)) {
    const specifier = first ?? second ?? ''
    if (/^(?:\.|\/|node:)/.test(specifier) || builtinModules.includes(specifier)) continue
    return true
  }
  return false
}
