// Plans a call of a skill's function: the chain of a Python function, with the skill's scripts as its private
// copy and the parameters passed by keyword. The launcher is ours; the scripts were verified with the whole
// skill.
import { dirname, join } from 'node:path'
import {
  AppError,
  callOf,
  type Hint,
  hintWith,
  type JsonObject,
  printHint,
  sha256Hex,
} from '../base/index.ts'
import { describePrivateCopy } from './invocation/private-copy.ts'
import { planTool } from './plan-tool.ts'
import type { CopiedFile, Plan, PlanContext, VerifiedTool } from './types.ts'

export interface SkillFunction {
  /** `skill.tool`; either part may contain dots. */
  readonly name: string
  readonly skillId: string
  readonly inputSchema: JsonObject
  /** Source of the launcher, and its path among the files. */
  readonly source: Uint8Array
  readonly filename: string
  readonly functionName: string
  readonly files: readonly CopiedFile[]
  /** Hosts that it may reach. */
  readonly network: readonly string[]
}

/** The skill as it was read and verified. */
export type VerifiedSkill = Pick<VerifiedTool, 'space' | 'path' | 'verdict' | 'shadows'>

const RUNTIME = 'rye/core/runtimes/python/function'

export async function planSkillCall(
  skill: VerifiedSkill,
  called: SkillFunction,
  given: JsonObject,
  context: PlanContext,
): Promise<Plan> {
  const tool: VerifiedTool = {
    ...skill,
    id: called.name,
    extension: '.py',
    bytes: called.source,
    digest: sha256Hex(called.source),
    metadata: {
      tool_type: 'skill',
      executor_id: RUNTIME,
      config_schema: called.inputSchema,
      config: { permissions: { network: [...called.network] } },
      entry: { execute: 'sync', main: false },
    },
    diagnostics: [],
  }
  const taken = hintWith('see what it takes: ', callOf('execute', { item_id: `skill:${called.skillId}` }))
  const planned = planTool(tool, given, { ...context, siblings: NO_SIBLINGS })
  const plan = await refusedWith(taken, planned)
  if (plan.invocation.kind !== 'function') throw new Error(`unreachable: ${RUNTIME} does not call functions`)
  const launcher = { path: called.filename, bytes: called.source }
  const files = [...called.files, launcher].map(file => ({ ...file, digest: sha256Hex(file.bytes) }))
  const privateCopy = describePrivateCopy(files, context.copiesRoot)
  return {
    ...plan,
    invocation: {
      ...plan.invocation,
      origin: { copy: privateCopy.directory, original: dirname(skill.path) },
      functionName: called.functionName,
      call: 'keywords',
      privateCopy,
      filename: join(privateCopy.directory, called.filename),
    },
  }
}

/** A part of a skill is not a tool that can be looked up, so refused parameters get a different hint. */
export async function refusedWith<T>(hint: Hint, checked: Promise<T>): Promise<T> {
  try {
    return await checked
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'PARAMETERS_INVALID') throw thrown
    const { code, message, details } = thrown
    const person = printHint(hint, 'person')
    throw new AppError(code, message, {
      hint: 'schema' in details ? { agent: '`schema` says what it takes', person } : hint,
      details,
    })
  }
}

/** The call has the files of the skill and no others. */
export const NO_SIBLINGS: PlanContext['siblings'] = {
  list: async () => [],
  read: async path => {
    throw new Error(`unreachable: ${path} was not listed`)
  },
}
