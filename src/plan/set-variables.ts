// The variables that an element sets for what it starts, with their values as written, for the person who
// decides about it.
import { isRecord, type JsonObject } from '../base/index.ts'
import { configOf, declaredIn } from './configuration/configuration.ts'
import { printValue } from './configuration/template.ts'
import { type DeclaringElement, envConfigOf } from './environment/environment.ts'
import { decidesWhatRuns } from './environment/variable-policy.ts'
import { mayBecomeActive } from './invocation/anchor.ts'

export interface SetVariable {
  readonly name: string
  /**
   * Nothing in it is expanded. If it extends a list of folders, it shows where the existing ones go:
   * `{anchor_path}:${PYTHONPATH}`.
   */
  readonly value: string
  /** Set when it chooses which code a program loads or runs, and that code is not shown with the element. */
  readonly chooses_code?: true
}

/** Leaves out what cannot be set. */
export function setVariables(element: DeclaringElement): SetVariable[] {
  const { env, interpreter } = envConfigOf(element)
  // An MCP server also sets the variables in its `config.env`.
  const ofServer = element.metadata.tool_type === 'mcp_server' ? configOf(element).env : undefined
  return [
    ...[env, ofServer].flatMap(fixedValues),
    ...interpreterVariable(interpreter),
    ...searchPaths(declaredIn(element, 'anchor')),
  ]
}

function fixedValues(declared: unknown): SetVariable[] {
  if (!isRecord(declared)) return []
  const values = Object.entries(declared as JsonObject) // inside metadata, so JSON
  return values.map(([name, value]) => describe(name, printValue(value), decidesWhatRuns(name)))
}

/**
 * A `RYE_` variable holds the path of the interpreter and means nothing to other programs, so it is left out.
 */
function interpreterVariable(declared: unknown): SetVariable[] {
  const name = isRecord(declared) ? declared.var : undefined
  if (typeof name !== 'string' || name.startsWith('RYE_')) return []
  return [describe(name, '(path of the interpreter)', decidesWhatRuns(name))]
}

/** A path in the tool's private copy, which holds only signed files. */
const IN_COPY =
  /^\{(anchor_path|tool_dir|tool_parent|runtime_lib)\}(?:\/(?!\.\.(?:\/|$))[^{}$:;/\\]{1,255})*\/?$/
/**
 * Variables whose folders are searched for modules and programs. In other variables every entry is loaded.
 */
const SEARCHED = /(?:PATH|LIB)$/

/** `anchor.env_paths`, if the anchor can ever be active. */
function searchPaths(anchor: unknown): SetVariable[] {
  if (!isRecord(anchor) || !isRecord(anchor.env_paths) || !mayBecomeActive(anchor)) return []
  const isSigned = (path: string) => {
    const place = IN_COPY.exec(path)?.[1]
    return place !== undefined && !(place === 'anchor_path' && anchor.root === 'project_path')
  }
  return Object.entries(anchor.env_paths).flatMap(([name, edit]) => {
    const { prepend, append } = isRecord(edit) ? edit : {}
    const [before, after] = [pathsIn(prepend), pathsIn(append)]
    if (before.length + after.length === 0) return []
    const isHarmless = SEARCHED.test(name) && [...before, ...after].every(isSigned)
    const value = [...before, `\${${name}}`, ...after].join(':')
    return [describe(name, value, !isHarmless && decidesWhatRuns(name))]
  })
}

function pathsIn(declared: unknown): string[] {
  return [declared]
    .flat()
    .flatMap(path => (typeof path === 'string' || typeof path === 'number' ? [String(path)] : []))
}

function describe(name: string, value: string, choosesCode: boolean): SetVariable {
  return { name, value, ...(choosesCode && { chooses_code: true }) }
}
