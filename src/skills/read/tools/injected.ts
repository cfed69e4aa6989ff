// Parameters that the host fills in: a caller neither sees nor passes them. They are recognised by their type, or by
// the decorator's `inject_root` and `inject_settings`.
import type { JsonValue } from '../../../base/index.ts'
import type { PythonParameter, PythonType } from '../../../parse/index.ts'

const HOST_TYPES = new Set(['ConfigPaths', 'Settings', 'Logger', 'BoundLogger'])
const ROOT_NAMES = new Set(['project_root', 'root'])

export interface Injection {
  /** False for a decorator with `autowire=False`. */
  readonly autowire: boolean
  readonly root: boolean
  /** Keys of settings: `git.protected` fills `git_protected` or `protected`. */
  readonly settings: readonly string[]
}

export function readInjection(argument: (name: string) => JsonValue | undefined): Injection {
  const settings = argument('inject_settings')
  return {
    autowire: argument('autowire') !== false,
    root: argument('inject_root') === true,
    settings: Array.isArray(settings) ? settings.filter(key => typeof key === 'string') : [],
  }
}

export function isInjected(parameter: PythonParameter, injection: Injection): boolean {
  const { name } = parameter
  if (isProjectRoot(parameter, injection)) return true
  const names = injection.settings.flatMap(key => [
    key.replaceAll('.', '_'),
    key.slice(key.lastIndexOf('.') + 1),
  ])
  if (names.includes(name)) return true
  return injection.autowire && typeNames(parameter.annotation?.type).some(type => HOST_TYPES.has(type))
}

/** A parameter that takes the project's directory. */
export function isProjectRoot(parameter: PythonParameter, injection: Injection): boolean {
  if (injection.root) return ROOT_NAMES.has(parameter.name)
  if (!injection.autowire || parameter.name !== 'project_root') return false
  return typeNames(parameter.annotation?.type).includes('Path')
}

function typeNames(type: PythonType | undefined): string[] {
  if (type?.kind === 'name') return [type.name]
  if (type?.kind === 'annotated') return typeNames(type.type)
  return type?.kind === 'union' ? type.members.flatMap(typeNames) : []
}
