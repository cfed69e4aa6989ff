// What Node is given: TypeScript with its types blanked, and whether a file is a module or CommonJS. Results are kept
// by digest, since they depend on nothing else.
import { builtinModules } from 'node:module'
import { extname, join } from 'node:path'
import { parseJavaScript } from '../../parse/index.ts'
import type { ProcessInvocation, Snapshot } from '../../plan/index.ts'
import { stripTypes } from './strip-types.ts'

export interface NodeSource {
  readonly text: string
  readonly format: 'module' | 'commonjs'
}

const MOST_KEPT = 256

export class NodeSources {
  readonly #sources = new Map<string, Promise<NodeSource>>()
  readonly #snapshots = new Map<string, Promise<Snapshot>>()

  read(digest: string, bytes: Uint8Array, filename: string): Promise<NodeSource> {
    return remember(this.#sources, `${digest} ${extname(filename)}`, () => readNodeSource(bytes, filename))
  }

  /** The same snapshot with its TypeScript files stripped; the names stay. */
  strip(snapshot: Snapshot): Promise<Snapshot> {
    return remember(this.#snapshots, snapshot.digest, () => stripSnapshot(snapshot))
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
  if (isTypeScript(filename)) return { text: await stripTypes(text, filename), format: 'module' }
  if (extension === '.mjs') return { text, format: 'module' }
  if (extension === '.cjs') return { text, format: 'commonjs' }
  const { program } = await parseJavaScript(text, { language: 'javascript', sourceType: 'unambiguous' })
  return { text, format: program?.sourceType === 'script' ? 'commonjs' : 'module' }
}

async function stripSnapshot(snapshot: Snapshot): Promise<Snapshot> {
  const files = await Promise.all(
    snapshot.files.map(async file => {
      if (!isTypeScript(file.path)) return file
      const text = Buffer.from(file.bytes).toString('utf8')
      return { path: file.path, bytes: Buffer.from(await stripTypes(text, file.path)) }
    }),
  )
  return { ...snapshot, files }
}

function isTypeScript(path: string): boolean {
  return path.endsWith('.ts') || path.endsWith('.mts')
}

// Runs before the script. Two things that a copy in a private directory needs: `.ts` files are modules (Node 20 does
// not know them), and packages resolve from the place where the tool's author put it.
const HOOKS = `
let anchor
export const initialize = data => { anchor = data.anchor }
export async function resolve(specifier, context, next) {
  const bare = !/^(?:\\.|\\/|[a-z]+:)/.test(specifier)
  if (!bare || context.parentURL === undefined) return next(specifier, context)
  try { return await next(specifier, context) }
  catch { return next(specifier, { ...context, parentURL: anchor }) }
}
export async function load(url, context, next) {
  if (!/\\.m?ts$/.test(url)) return next(url, context)
  const { readFile } = await import('node:fs/promises')
  return { format: 'module', source: await readFile(new URL(url)), shortCircuit: true }
}`

/** The flags with which Node runs this invocation's own files; none when it needs no help. */
export function nodeFlags(invocation: ProcessInvocation, anchorUrl: string): string[] {
  const { snapshot } = invocation
  if (!snapshot || !/(?:^|[\\/])node(?:\.exe)?$/.test(invocation.command)) return []
  const started = snapshot.files.some(file => invocation.args.includes(join(snapshot.directory, file.path)))
  if (!started || !snapshot.files.some(file => isTypeScript(file.path) || importsPackage(file.bytes)))
    return []
  const hooks = `data:text/javascript,${encodeURIComponent(HOOKS)}`
  const register = `import { register } from 'node:module'; register(${JSON.stringify(hooks)}, { data: { anchor: ${JSON.stringify(anchorUrl)} } })`
  return ['--no-warnings', '--import', `data:text/javascript,${encodeURIComponent(register)}`]
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
