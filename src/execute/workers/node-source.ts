// What Node is given: TypeScript with its types blanked out, and whether a file is a module or CommonJS. Results are cached by
// digest, since they depend on nothing else.
import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { extname, join } from 'node:path'
import { sha256Hex } from '../../base/index.ts'
import { parseJavaScript } from '../../parse/index.ts'
import type { CopiedFile, PrivateCopy, ProcessInvocation } from '../../plan/index.ts'
import { programsDirectory } from '../process/programs-directory.ts'
import { stripTypes } from './strip-types.ts'

export interface NodeSource {
  readonly text: string
  readonly format: 'module' | 'commonjs'
}

const MOST_KEPT = 256

export class NodeSources {
  readonly #sources = new Map<string, Promise<NodeSource>>()
  readonly #copies = new Map<string, Promise<PrivateCopy>>()

  read(digest: string, bytes: Uint8Array, filename: string): Promise<NodeSource> {
    return remember(this.#sources, `${digest} ${extname(filename)}`, () => readNodeSource(bytes, filename))
  }

  /** The same copy with its TypeScript files stripped; the names stay. */
  strip(copy: PrivateCopy): Promise<PrivateCopy> {
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

async function stripCopy(copy: PrivateCopy): Promise<PrivateCopy> {
  const files = await Promise.all(
    copy.files.map(async file => {
      if (file.isData || !isTypeScript(file.path)) return file
      return { path: file.path, bytes: Buffer.from(await strip(file.bytes, file.path)) }
    }),
  )
  return { ...copy, files }
}

/** The package has its own files stripped already: parsing them costs more than starting their worker. */
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

// Runs before the script. A file in a private copy needs two things: `.ts` files are modules (Node 20 does not know them), and
// packages are resolved from the place where the author put the tool. `#names` are not packages: there, an unsigned `package.json`
// would decide which file they mean.
const HOOKS = `
let anchor
export const initialize = data => { anchor = data.anchor }
export async function resolve(specifier, context, next) {
  const bare = !/^(?:[.#/]|[a-z]+:)/.test(specifier)
  if (!bare || context.parentURL === undefined) return next(specifier, context)
  try { return await next(specifier, context) }
  catch { return next(specifier, { ...context, parentURL: anchor }) }
}
export async function load(url, context, next) {
  if (!/\\.m?ts$/.test(url)) return next(url, context)
  const { readFile } = await import('node:fs/promises')
  return { format: 'module', source: await readFile(new URL(url)), shortCircuit: true }
}`

/** The flags that Node needs to run the invocation's own files; most need none. */
export function nodeFlags(invocation: ProcessInvocation, anchorUrl: string): string[] {
  const { privateCopy: copy } = invocation
  if (!copy || !/(?:^|[\\/])node(?:\.exe)?$/.test(invocation.command)) return []
  const runsOwnFile = copy.files.some(file => invocation.args.includes(join(copy.directory, file.path)))
  if (!runsOwnFile || !copy.files.some(needsHooks)) return []
  const hooks = JSON.stringify(`data:text/javascript,${encodeURIComponent(HOOKS)}`)
  const data = `{ data: { anchor: ${JSON.stringify(anchorUrl)} } }`
  const register = `import { register } from 'node:module'; register(${hooks}, ${data})`
  return ['--no-warnings', '--import', `data:text/javascript,${encodeURIComponent(register)}`]
}

function needsHooks(file: CopiedFile): boolean {
  return isTypeScript(file.path) || importsPackage(file.bytes)
}

const IMPORTED = /\bfrom\s*['"]([^'"\n]{1,200})['"]|\b(?:import|require)\s*\(?\s*['"]([^'"\n]{1,200})['"]/g

function importsPackage(bytes: Uint8Array): boolean {
  for (const [, first, second] of Buffer.from(bytes).toString('utf8').matchAll(IMPORTED)) {
    const specifier = first ?? second ?? ''
    if (/^(?:\.|\/|node:)/.test(specifier) || builtinModules.includes(specifier)) continue
    return true
  }
  return false
}
