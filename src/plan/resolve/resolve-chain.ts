// Follows `executor_id` from a tool through runtimes to a primitive. Each step looks in the space of the
// element before it and in lower ones, so a system tool never gets a file of the project. Every failure shows
// the chain so far.
import {
  AppError,
  callOf,
  type ErrorCode,
  escapeHidden,
  type Hint,
  hintWith,
  quoteText,
} from '../../base/index.ts'
import { idProblem, precedenceOf, SPACES, type Space } from '../../item/index.ts'
import type { ToolLookup, VerifiedTool } from '../types.ts'
import {
  CORE_SETTING,
  findPrimitive,
  isCore,
  PRIMITIVE_NAMES,
  type PrimitiveName,
  resolveExecutorId,
} from './executor-id.ts'

const MAX_CHAIN = 10

/** Types of tools that others use and that cannot be run themselves, each with a hint. */
const NOT_RUNNABLE: ReadonlyMap<string, string> = new Map([
  ['mcp_server', 'run one of its tools instead'],
  ['runtime', 'run a tool that names it in `executor_id`'],
  ['primitive', 'run a tool whose chain ends in it'],
  ['extractor', 'extractors are read when items are parsed'],
  ['parser', 'parsers are named by extractors'],
])

export interface ResolvedChain {
  /** Tool first, primitive last. */
  readonly elements: readonly VerifiedTool[]
  readonly primitive: PrimitiveName
}

export interface ChainSource {
  readonly lookup: ToolLookup
  readonly coreShadowing: 'refuse' | 'allow'
}

export async function resolveChain(tool: VerifiedTool, source: ChainSource): Promise<ResolvedChain> {
  checkRunnable(tool)
  const elements: VerifiedTool[] = []
  const seen = new Set<string>()
  let current = tool
  for (;;) {
    checkElement(current, elements)
    elements.push(current)
    seen.add(current.id)
    const primitive = endOfChain(elements)
    if (primitive !== undefined) return { elements, primitive }
    const next = nextId(current, elements)
    if (seen.has(next)) throw broken('CHAIN_CYCLE', `\`${next}\` is its own executor`, elements, next)
    if (elements.length === MAX_CHAIN) {
      throw broken('CHAIN_TOO_DEEP', `expected at most ${MAX_CHAIN} elements`, elements, next)
    }
    const found = await source.lookup(next, searchFrom(next, current.space, source))
    if (found === undefined)
      throw (await refusedCopy(next, elements, source)) ?? missing(next, current, elements)
    current = found
  }
}

/** `a (project) -> b (system) -> ?` */
export function printChain(elements: readonly Pick<VerifiedTool, 'id' | 'space'>[], next?: string): string {
  const links = elements.map(element => `${element.id} (${element.space})`)
  if (next !== undefined) links.push(escapeHidden(next, { oneLine: true }))
  return links.join(' -> ')
}

function checkElement(element: VerifiedTool, before: readonly VerifiedTool[]): void {
  // The lookup returns only verified items (or unsigned ones of the project, in dev mode). Checking again
  // costs nothing.
  if (element.verdict.status !== 'verified' && element.verdict.status !== 'unsigned') {
    throw new Error(`unreachable: \`${element.id}\` entered a chain while ${element.verdict.status}`)
  }
  const fault = element.diagnostics.find(diagnostic => diagnostic.severity === 'error')
  if (fault !== undefined && element.metadata.executor_id === undefined) {
    const where = `${element.path}:${fault.line}:${fault.column}`
    throw broken('ITEM_MALFORMED', `${where}: ${fault.message}`, [...before, element])
  }
  const kind = element.metadata.tool_type
  const isEnd = element.metadata.executor_id === null || findPrimitive(element.id) !== undefined
  if (before.length > 0 && !isEnd && kind !== 'runtime') {
    const got = typeof kind === 'string' ? `\`${kind}\`` : 'none'
    throw broken('CHAIN_INVALID', `expected \`${element.id}\` to have tool_type \`runtime\`, got ${got}`, [
      ...before,
      element,
    ])
  }
}

function checkRunnable(tool: VerifiedTool): void {
  const kind = tool.metadata.tool_type
  const hint = typeof kind === 'string' ? NOT_RUNNABLE.get(kind) : undefined
  if (hint === undefined) return
  const message = `\`${tool.id}\` is of tool_type ${quoteText(kind)}, which cannot be run by itself`
  throw new AppError('CHAIN_INVALID', message, { hint })
}

function endOfChain(elements: readonly VerifiedTool[]): PrimitiveName | undefined {
  const last = elements.at(-1)!
  const primitive = findPrimitive(last.id)
  if (primitive !== undefined && elements.length > 1) return primitive
  if (primitive === undefined && last.metadata.executor_id !== null) return undefined
  const known = PRIMITIVE_NAMES.join(', ')
  const message = `\`${last.id}\` has no executor and is not a primitive: expected one of ${known}`
  throw broken('PRIMITIVE_UNKNOWN', message, elements)
}

const NODE = "`export const __executor_id__ = 'rye/core/runtimes/node/node'`"
const COMMON = "`exports.__executor_id__ = 'rye/core/runtimes/node/node'`"
/** How a file names its runtime, by extension. */
const DECLARATIONS: Readonly<Record<string, string>> = {
  '.sh': '`# __executor_id__ = "rye/core/runtimes/bash/bash"` among its first lines',
  '.py': '`__executor_id__ = "rye/core/runtimes/python/function"`',
  ...{ '.ts': NODE, '.mts': NODE, '.mjs': NODE, '.cjs': COMMON },
  '.js': `${NODE}, or ${COMMON} where it exports so`,
  '.json': '`"executor_id": "rye/core/primitives/subprocess"`',
  '.toml': '`executor_id = "rye/core/primitives/subprocess"`',
}

function nextId(element: VerifiedTool, elements: readonly VerifiedTool[]): string {
  const declared = element.metadata.executor_id
  if (declared === undefined || declared === '') {
    throw broken('CHAIN_BROKEN', `\`${element.id}\` declares no executor_id`, elements, '?', {
      hint: `say what runs it: ${DECLARATIONS[element.extension] ?? '`executor_id: rye/core/primitives/subprocess`'}`,
    })
  }
  const problem = idProblem(declared)
  if (problem !== undefined) {
    throw broken('CHAIN_BROKEN', `executor_id of \`${element.id}\`: ${problem}`, elements, '?')
  }
  return resolveExecutorId(declared as string) // a string: `idProblem` found nothing wrong
}

function searchFrom(id: string, space: Space, source: ChainSource): Space {
  return isCore(id) && source.coreShadowing === 'refuse' ? 'system' : space
}

/**
 * The error for a copy in the project or user space that policy keeps out: it must not be reported as
 * missing.
 */
async function refusedCopy(
  id: string,
  elements: readonly VerifiedTool[],
  source: ChainSource,
): Promise<AppError | undefined> {
  const { space } = elements.at(-1)!
  if (!isCore(id) || source.coreShadowing === 'allow' || space === 'system') return undefined
  const copy = await findQuietly(source.lookup, id, space)
  if (copy === undefined) return undefined
  const message = `\`${id}\` is in the ${copy} space and is not used: what runs tools under \`rye/core/\` comes from the package`
  return broken('POLICY_DENIED', message, elements, '?', {
    hint: {
      agent: `move the runtime out of \`rye/core/\`; only the user may set \`${CORE_SETTING} = "allow"\` in their \`.ai/config/rye.toml\``,
      person: `move the runtime out of \`rye/core/\`, or set \`${CORE_SETTING} = "allow"\` in \`~/.ai/config/rye.toml\``,
    },
  })
}

/** A space, from the given one down, that has the item, even if it does not verify. */
async function findQuietly(lookup: ToolLookup, id: string, from: Space): Promise<Space | undefined> {
  let found: Space | undefined
  // Lowest first: a refusal does not say in which space the refused item is.
  for (const space of SPACES.slice(precedenceOf(from)).reverse()) {
    try {
      found = (await lookup(id, space))?.space
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      found ??= space
    }
  }
  return found
}

function missing(id: string, from: VerifiedTool, elements: readonly VerifiedTool[]): AppError {
  if (id.startsWith('rye/core/primitives/')) {
    const message = `unknown primitive \`${id}\`: expected one of ${PRIMITIVE_NAMES.join(', ')}`
    return broken('PRIMITIVE_UNKNOWN', message, elements, '?')
  }
  const message = `\`${id}\`, the executor of \`${from.id}\`, is not in ${from.space} space or below`
  return broken('CHAIN_BROKEN', message, elements, '?', {
    hint: hintWith('look for it with ', callOf('search', { query: id, item_type: 'tool' })),
  })
}

function broken(
  code: ErrorCode,
  message: string,
  elements: readonly VerifiedTool[],
  next?: string,
  options: { hint?: Hint } = {},
): AppError {
  const chain = printChain(elements, next)
  return new AppError(code, `${message}; chain: ${chain}`, { ...options, details: { chain_so_far: chain } })
}
