// Turns `env_config.interpreter` into a request that says where to look. Looking is an effect, so the caller
// does it.
// A project's own binaries (`.venv`, `node_modules`) are unverified code, and are looked for only where
// `project-code.ts` allows it.
import { basename, isAbsolute, join, relative } from 'node:path'
import { AppError, absoluteFolders } from '../../base/index.ts'
import { isVariableName } from '../environment/variable-policy.ts'
import type { InterpreterRequest, PlanContext } from '../types.ts'
import { judgeProjectCode, type ProjectCodeUser } from './project-code.ts'

export interface WantedInterpreter {
  /** The variable that configuration names, such as `RYE_PYTHON`. */
  readonly variable: string
  readonly request: InterpreterRequest
  /** Used if nothing is found: a name on `PATH`, or a file. Null if none is declared. */
  readonly fallback: string | null
  /** What was looked for, in words. */
  readonly description: string
  /** Files of the project that would be tried first if the user allowed it. */
  readonly refused: readonly string[]
  /** How the user would allow them. */
  readonly permit: string
}

export interface FoundInterpreter {
  readonly path: string
  /** Says that an interpreter of the project was not used, and what would allow it. */
  readonly note: string | undefined
}

export type InterpreterPlaces = Pick<
  PlanContext,
  'projectPath' | 'userSpace' | 'env' | 'nodePath' | 'projectInterpreters'
>

/** Where to look for a type of interpreter. `local` paths are below the project. */
type Search = { local?: string[]; files?: string[]; names?: string[]; command?: string[] }

type SearchRule = (fields: Fields, places: InterpreterPlaces) => Search

const TYPES: ReadonlyMap<string, SearchRule> = new Map<string, SearchRule>([
  ['local_binary', localBinary],
  ['system_binary', fields => ({ names: [fields.text('binary'), ...fields.list('candidates')] })],
  ['command', fields => ({ command: fields.list('resolve_cmd') })],
  ['venv_python', fields => ({ local: venvFiles(fields.text('venv_path', '.venv')), names: [] })],
  ['node', (_, places) => ({ files: [places.nodePath], names: ['node'] })],
  ['version_manager', versionManager],
])

/**
 * Reads an element's `env_config.interpreter`. If the caller's environment sets the variable, its value is
 * tried first.
 */
export function readInterpreterRequest(
  declared: unknown,
  user: ProjectCodeUser,
  places: InterpreterPlaces,
): WantedInterpreter | undefined {
  if (declared === undefined || declared === null) return undefined
  const fields = new Fields(declared)
  const type = fields.text('type')
  const search = TYPES.get(type)
  if (search === undefined) {
    throw invalid(`unknown interpreter type \`${type}\`: expected one of ${[...TYPES.keys()].join(', ')}`)
  }
  const variable = fields.text('var', defaultVariable(type, fields.text('binary', '')))
  if (!isVariableName(variable)) throw invalid(`\`${variable}\` is not a variable name`)
  const { local = [], files = [], names = [], command = [] } = search(fields, places)
  const { isEligible, isAllowed, permit } = judgeProjectCode(user, places)
  const inProject = isEligible ? local.map(path => join(places.projectPath, path)) : []
  const own = isAllowed ? inProject : []
  const override = (Object.hasOwn(places.env, variable) && places.env[variable]) || ''
  const request = {
    files: [...(isAbsolute(override) ? [override] : []), ...own, ...files],
    names: override === '' || isAbsolute(override) ? names : [override, ...names],
    command: command.length === 0 ? null : command,
    ...(!isAllowed && { outside: places.projectPath }),
  }
  const onPath = isEligible ? filesOnPath(names, places) : []
  const fallback = fields.text('fallback', '')
  const looked = [...own, ...files, ...names, ...(command.length === 0 ? [] : [`\`${command.join(' ')}\``])]
  return {
    variable,
    request,
    fallback: fallback === '' ? null : fallback,
    description: `${type}: ${looked.join(', ') || 'nowhere'}`,
    refused: isAllowed || override !== '' ? [] : [...inProject, ...onPath],
    permit,
  }
}

/** The absolute path, or that of the declared fallback; `INTERPRETER_MISSING` if there is neither. */
export async function requireInterpreter(
  interpreter: WantedInterpreter,
  elementId: string,
  find: PlanContext['findInterpreter'],
): Promise<FoundInterpreter> {
  const { refused, permit } = interpreter
  const unused = refused.length === 0 ? undefined : await find({ files: refused, names: [], command: null })
  const note =
    unused === undefined
      ? undefined
      : `\`${unused}\` was not used, because nobody verified it; to allow it, write ${permit}`
  const path = (await find(interpreter.request)) ?? (await findFallback(interpreter, find))
  if (path !== undefined) return { path, note }
  const wanted = interpreter.request.names[0] ?? interpreter.fallback
  const message = `no interpreter for \`${elementId}\`; looked for ${interpreter.description}`
  throw new AppError('INTERPRETER_MISSING', message, {
    hint:
      note ??
      `install ${wanted === null ? 'it' : `\`${wanted}\``}, or set ${interpreter.variable} to its path in the environment of rye`,
  })
}

/**
 * Candidates in those folders of the caller's `PATH` that lie in the project, such as an active Python
 * environment.
 */
function filesOnPath(names: readonly string[], { env, projectPath }: InterpreterPlaces): string[] {
  const isInProject = (folder: string) => !/^\.\.(?:\/|$)/.test(relative(projectPath, folder))
  if (env.HOME && isInProject(env.HOME)) return []
  const folders = absoluteFolders(env.PATH ?? '').filter(isInProject)
  return folders.flatMap(folder => names.map(name => join(folder, name)))
}

async function findFallback(
  { fallback, request: { outside } }: WantedInterpreter,
  find: PlanContext['findInterpreter'],
): Promise<string | undefined> {
  if (fallback === null) return undefined
  const isPath = fallback.includes('/') || fallback.includes('\\')
  return find({ files: isPath ? [fallback] : [], names: isPath ? [] : [fallback], command: null, outside })
}

/** Binaries that have a variable of their own, whatever their version: `python3.12` is `RYE_PYTHON`. */
const KNOWN_BINARIES: ReadonlySet<string> = new Set([
  ...['python', 'node', 'bash', 'sh', 'ruby', 'perl', 'php', 'lua', 'deno', 'bun', 'rscript', 'java', 'go'],
])

function defaultVariable(type: string, binary: string): string {
  if (type === 'venv_python') return 'RYE_PYTHON'
  if (type === 'node') return 'RYE_NODE'
  const name = basename(binary)
    .toLowerCase()
    .replace(/(?:[\d.]+)?(?:\.exe)?$/, '')
  return KNOWN_BINARIES.has(name) ? `RYE_${name.toUpperCase()}` : 'RYE_INTERPRETER'
}

/** Roots are below the project, or absolute: an absolute one was chosen by the signer, not by the project. */
function localBinary(fields: Fields): Search {
  const names = [fields.text('binary'), ...fields.list('candidates')]
  const roots = ['', ...fields.list('search_roots').map(root => (root === '{project_path}' ? '' : root))]
  const places = roots.flatMap(root => fields.list('search_paths').map(path => join(root, path)))
  const found = places.flatMap(place => names.flatMap(name => spellings(place, name)))
  for (const path of found) checkContained(path)
  return {
    local: found.filter(path => !isAbsolute(path)),
    files: found.filter(path => isAbsolute(path)),
    names,
  }
}

function spellings(place: string, name: string): string[] {
  const path = join(place, name)
  return basename(place) === 'Scripts' ? [path, `${path}.exe`] : [path]
}

function venvFiles(venv: string): string[] {
  const files = [
    join(venv, 'bin', 'python'),
    join(venv, 'bin', 'python3'),
    join(venv, 'Scripts', 'python.exe'),
  ]
  for (const path of files) checkContained(path)
  return files
}

/** Where version managers keep what they installed, below the home directory. */
const MANAGERS: ReadonlyMap<string, (version: string, binary: string) => string[]> = new Map([
  ['pyenv', (version, binary) => ['.pyenv', 'versions', version, 'bin', binary || 'python']],
  ['rbenv', (version, binary) => ['.rbenv', 'versions', version, 'bin', binary || 'ruby']],
  ['nvm', (version, binary) => ['.nvm', 'versions', 'node', `v${version}`, 'bin', binary || 'node']],
  ['asdf', (version, binary) => ['.asdf', 'installs', pluginOf(binary), version, 'bin', binary]],
  [
    'mise',
    (version, binary) => ['.local', 'share', 'mise', 'installs', pluginOf(binary), version, 'bin', binary],
  ],
])

function pluginOf(binary: string): string {
  if (binary === '') throw invalid('this version manager needs `binary`')
  return binary === 'node' ? 'nodejs' : binary.replace(/3$/, '')
}

function versionManager(fields: Fields, places: InterpreterPlaces): Search {
  const manager = fields.text('manager')
  const place = MANAGERS.get(manager)
  if (place === undefined) {
    throw invalid(
      `unknown version manager \`${manager}\`: expected one of ${[...MANAGERS.keys()].join(', ')}`,
    )
  }
  const version = fields.text('version')
  const binary = fields.text('binary', '')
  if (!/^[A-Za-z0-9][\w.+-]{0,63}$/.test(version) || !/^[\w.+-]{0,63}$/.test(binary)) {
    throw invalid(`expected a version and a binary name, got \`${version}\` and \`${binary}\``)
  }
  const home = places.env.HOME ?? places.env.USERPROFILE
  return { files: home === undefined ? [] : [join(home, ...place(version, binary))] }
}

function checkContained(path: string): void {
  if (path.split(/[\\/]/).includes('..')) throw invalid(`search path \`${path}\` points outside of its root`)
}

/** Reads the fields of the declaration; an error names the field. */
class Fields {
  readonly #fields: Readonly<Record<string, unknown>>

  constructor(declared: unknown) {
    if (typeof declared !== 'object' || declared === null || Array.isArray(declared)) {
      throw invalid('`env_config.interpreter` must be an object')
    }
    // An object that is not an array has string keys; each value is checked when it is read.
    this.#fields = declared as Record<string, unknown>
  }

  text(key: string, otherwise?: string): string {
    const value = this.#fields[key]
    if (typeof value === 'string' && value !== '') return value
    if (typeof value === 'number') return String(value)
    if ((value === undefined || value === null) && otherwise !== undefined) return otherwise
    throw invalid(`\`env_config.interpreter.${key}\` must be a string`)
  }

  list(key: string): string[] {
    const value = this.#fields[key] ?? []
    if (Array.isArray(value) && value.every(entry => typeof entry === 'string')) return value
    throw invalid(`\`env_config.interpreter.${key}\` must be a list of strings`)
  }
}

function invalid(message: string): AppError {
  return new AppError('CONFIG_INVALID', message)
}
