// A small world for planning: tools are given as values, and every question is answered from memory.
import { posix } from 'node:path'
import { sha256Hex } from '../../src/base/digest.ts'
import type { JsonObject, JsonValue } from '../../src/base/json.ts'
import { precedenceOf, SPACES, type Space } from '../../src/item/space.ts'
import { parseBytes } from '../../src/parse/parse-bytes.ts'
import { ParameterSchemas } from '../../src/plan/parameters/parameters.ts'
import type { PlanContext, VerifiedTool } from '../../src/plan/types.ts'
import type { Verdict } from '../../src/trust/types.ts'

export const VERIFIED: Verdict = {
  status: 'verified',
  format: 'v2',
  coverage: 'full',
  hash: null,
  signer: '0123456789abcdef',
  timestamp: '2026-01-01T00:00:00Z',
}

const ROOTS: Record<Space, string> = {
  project: '/srv/app',
  user: '/home/ada',
  shared: '/home/ada/.cache/rye/shared',
  system: '/opt/rye/system',
}

export interface ToolFacts {
  readonly space?: Space
  readonly extension?: string
  readonly text?: string
  readonly verdict?: Partial<Verdict>
  readonly shadows?: readonly Space[]
}

export function makeTool(id: string, metadata: JsonObject, facts: ToolFacts = {}): VerifiedTool {
  const { space = 'project', extension = '.yaml', text = '', verdict = {}, shadows = [] } = facts
  const bytes = Buffer.from(text)
  return {
    id,
    space,
    path: posix.join(ROOTS[space], '.ai/tools', id + extension),
    extension,
    bytes,
    digest: sha256Hex(bytes),
    verdict: { ...VERIFIED, ...verdict },
    metadata: Object.assign(Object.create(null), metadata),
    diagnostics: [],
    shadows,
  }
}

/** Reads a tool from YAML text, as the real parser does. */
export async function yamlTool(id: string, text: string, facts: ToolFacts = {}): Promise<VerifiedTool> {
  const { metadata } = await parseBytes('yaml/yaml', Buffer.from(text), '.yaml')
  return makeTool(id, metadata, { ...facts, text })
}

export function lookupIn(tools: readonly VerifiedTool[]): PlanContext['lookup'] {
  return async (id, from) =>
    SPACES.filter(space => precedenceOf(space) >= precedenceOf(from))
      .map(space => tools.find(tool => tool.id === id && tool.space === space))
      .find(tool => tool !== undefined)
}

export interface WorldFacts extends Partial<PlanContext> {
  readonly tools?: readonly VerifiedTool[]
  /** Absolute path → text of a sibling, or its verdict when it is not verified. */
  readonly files?: Readonly<Record<string, string | { text: string; verdict: Partial<Verdict> }>>
  readonly configs?: Readonly<Record<string, Partial<Record<Space, Record<string, JsonValue>>>>>
}

export function makeContext({ tools = [], files = {}, configs = {}, ...rest }: WorldFacts = {}): PlanContext {
  return {
    projectPath: '/srv/app',
    userSpace: '/home/ada',
    systemSpace: '/opt/rye/system',
    copiesRoot: '/cache',
    env: { PATH: '/usr/bin', HOME: '/home/ada' },
    readDotenv: () => null,
    nodePath: '/usr/bin/node',
    timeoutMs: null,
    projectInterpreters: 'refuse',
    scriptPackages: 'refuse',
    lookup: lookupIn(tools),
    findInterpreter: async request =>
      request.files.find(file => !file.includes('.venv')) ??
      (request.names[0] && `/usr/bin/${request.names[0]}`),
    matchesPattern: async (pattern, text) => new RegExp(pattern, 'u').test(text),
    schemas: new ParameterSchemas(),
    siblings: {
      list: async (directory, { recursive }) =>
        Object.keys(files)
          .filter(path => path.startsWith(`${directory}/`))
          .map(path => path.slice(directory.length + 1))
          .filter(path => recursive || !path.includes('/')),
      read: async path => {
        const found = files[path]
        if (found === undefined) throw new Error(`no such file in this world: ${path}`)
        const { text, verdict } = typeof found === 'string' ? { text: found, verdict: {} } : found
        const bytes = Buffer.from(text)
        return { bytes, digest: sha256Hex(bytes), verdict: { ...VERIFIED, ...verdict } }
      },
    },
    readConfig: async path =>
      Object.entries(configs[path] ?? {}).map(([space, data]) => ({
        space: space as Space,
        data: data ?? {},
      })),
    coreShadowing: 'refuse',
    ...rest,
  }
}

/** The reason with which a promise was rejected. */
export async function failureOf(
  promise: Promise<unknown>,
): Promise<{ code: string; message: string; hint?: string }> {
  try {
    await promise
  } catch (thrown) {
    return thrown as { code: string; message: string }
  }
  throw new Error('expected a failure')
}
