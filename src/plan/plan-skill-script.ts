// The plan of a script of a skill: the chain of its language, with the whole folder as its private copy. What the caller gives are
// the arguments and the standard input of a program, as its author would type them; nothing is added to them.
import { dirname, extname, join } from 'node:path'
import { AppError, callOf, hintWith, type JsonObject, sha256Hex } from '../base/index.ts'
import { checkArgument, MAX_ARGUMENT_BYTES } from './invocation/argument-vector.ts'
import { describePrivateCopy } from './invocation/private-copy.ts'
import { NO_SIBLINGS, refusedWith, type VerifiedSkill } from './plan-skill-call.ts'
import { planTool } from './plan-tool.ts'
import type { Plan, PlanContext, ProcessInvocation, VerifiedTool } from './types.ts'

export interface SkillScript {
  /** The id of the skill and the path of the script. */
  readonly id: string
  /** Below the folder of the skill, like those of `files`. */
  readonly path: string
  /** Every file of the skill. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Hosts that it may reach. */
  readonly network: readonly string[]
}

const RUNTIMES: ReadonlyMap<string, string> = new Map([
  ['.py', 'rye/core/runtimes/python/script'],
  ...['.js', '.mjs', '.cjs', '.ts', '.mts'].map(
    extension => [extension, 'rye/core/runtimes/node/node'] as const,
  ),
  ['.sh', 'rye/core/runtimes/bash/bash'],
])

export const SCRIPT_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    args: { type: 'array', items: { type: 'string' }, default: [], description: 'Arguments of the script' },
    stdin: { type: 'string', default: '', description: 'Text for its standard input' },
  },
  additionalProperties: false,
}

/** Whether a file of a skill can be run. */
export function isScript(path: string): boolean {
  return RUNTIMES.has(extensionOf(path))
}

export async function planSkillScript(
  skill: VerifiedSkill,
  script: SkillScript,
  given: JsonObject,
  context: PlanContext,
): Promise<Plan> {
  const { id, path, files, network } = script
  const runtime = RUNTIMES.get(extensionOf(path))
  if (runtime === undefined) throw noScript(script)
  const checked = context.schemas.validate(id, SCRIPT_SCHEMA, given, context.matchesPattern)
  const parameters = await refusedWith('a script takes `args`, a list of texts, and `stdin`, a text', checked)
  const bytes = files.get(path)!
  const tool: VerifiedTool = {
    ...skill,
    id,
    path: join(dirname(skill.path), path),
    extension: extensionOf(path),
    bytes,
    digest: sha256Hex(bytes),
    metadata: {
      tool_type: 'skill',
      executor_id: runtime,
      config: { permissions: { network: [...network] } },
    },
    diagnostics: [],
  }
  const plan = await planTool(tool, {}, { ...context, siblings: NO_SIBLINGS })
  const { invocation } = plan
  if (invocation.kind !== 'process') throw new Error(`unreachable: ${runtime} does not start a process`)
  const copied = [...files].map(([name, content]) => ({
    path: name,
    bytes: content,
    digest: sha256Hex(content),
    isData: !isBeside(name, path),
  }))
  const privateCopy = describePrivateCopy(copied, context.copiesRoot, path)
  return {
    ...plan,
    parameters,
    invocation: {
      ...invocation,
      ...startOf(invocation, join(privateCopy.directory, path), argumentsOf(parameters)),
      stdin: String(parameters.stdin),
      privateCopy,
      origin: { copy: privateCopy.directory, original: dirname(skill.path) },
    },
  }
}

/** Whether a file may be a part of the program: one in another folder of the skill is for reading. */
function isBeside(name: string, script: string): boolean {
  const top = script.slice(0, script.indexOf('/') + 1)
  return name.startsWith(top)
}

/** A runtime that can hide arguments from lists of processes hides these. */
function startOf(
  { privateArgs }: ProcessInvocation,
  program: string,
  args: readonly string[],
): Pick<ProcessInvocation, 'args' | 'privateArgs'> {
  if (privateArgs === null) return { args: [program, ...args], privateArgs }
  return { args: [program], privateArgs: { ...privateArgs, args } }
}

function argumentsOf({ args }: JsonObject): string[] {
  // The schema allows nothing but a list of strings.
  const list = (args as string[]).map((argument, index) => checkArgument(argument, `args[${index}]`))
  const bytes = list.reduce((sum, argument) => sum + Buffer.byteLength(argument) + 1, 0)
  if (bytes <= MAX_ARGUMENT_BYTES) return list
  throw new AppError(
    'PARAMETERS_INVALID',
    `expected args of at most ${MAX_ARGUMENT_BYTES} bytes, got ${bytes}`,
    {
      hint: 'pass large values in `stdin`',
    },
  )
}

function noScript({ id }: SkillScript): AppError {
  return new AppError(
    'CHAIN_INVALID',
    `expected a script (${[...RUNTIMES.keys()].join(', ')}), got \`${id}\``,
    {
      hint: hintWith('read it with ', callOf('load', { item_id: `skill:${id}` })),
    },
  )
}

function extensionOf(path: string): string {
  return extname(path).toLowerCase()
}
