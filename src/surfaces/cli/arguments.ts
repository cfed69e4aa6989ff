// Turns the words after a command into the raw input of its action. Pure: reads nothing but the words.
import { resolve } from 'node:path'
import type { FieldSpec, Fields } from '../../actions/index.ts'
import { AppError, flattenText, nearest } from '../../base/index.ts'

/** Flags that every command accepts. */
export const GLOBAL_FLAGS = {
  json: 'print one JSON document and nothing else',
  help: 'show how the command is used',
  quiet: 'no progress, no notes, no success messages',
} as const

export type GlobalFlag = keyof typeof GLOBAL_FLAGS

export const ALL_GLOBALS: readonly GlobalFlag[] = ['json', 'help', 'quiet']

export interface Arguments {
  readonly input: Record<string, unknown>
  readonly globals: ReadonlySet<GlobalFlag>
  readonly project: string | undefined
}

export interface Surroundings {
  /** The folder that relative paths start from. */
  readonly directory: string
  /** Finds the project when the words name none; called with the rest of the input. */
  readonly findProject: (input: Readonly<Record<string, unknown>>) => string
  readonly globals?: readonly GlobalFlag[]
}

/** The words as raw input, with the project filled in. */
export function gatherInput(
  fields: Fields,
  words: readonly string[],
  { directory, findProject, globals }: Surroundings,
): Record<string, unknown> {
  const { input, project } = readArguments(fields, words, globals)
  if (Object.hasOwn(fields, 'project_path'))
    input.project_path = project === undefined ? findProject(input) : resolve(directory, project)
  return input
}

/** Whether a flag is among the words. Those after `--` are never flags, whatever they look like. */
export function hasFlag(words: readonly string[], ...flags: readonly string[]): boolean {
  return beforeMark(words).some(word => flags.includes(word))
}

/** Words after `--` belong to another program. */
function beforeMark(words: readonly string[]): readonly string[] {
  const end = words.indexOf('--')
  return end === -1 ? words : words.slice(0, end)
}

/**
 * The project that the words name. Undefined when none is named, or when `--project` is a flag of the command
 * itself.
 */
export function namedProject(fields: Fields, words: readonly string[]): string | undefined {
  if (Object.hasOwn(fields, 'project')) return undefined
  const own = beforeMark(words)
  const at = own.findLastIndex(word => word === '--project' || word.startsWith('--project='))
  return at === -1 ? undefined : (splitFlag(own[at]!)[1] ?? own[at + 1])
}

/** The flag of a field as typed: `sort_by` → `sort-by`, unless the field names its own. */
export function flagName(name: string, field: FieldSpec): string {
  return field.flag?.name ?? name.replaceAll('_', '-')
}

/** Reads the words of one command. Throws `INVALID_INPUT` with the offending word. */
export function readArguments(
  fields: Fields,
  words: readonly string[],
  known: readonly GlobalFlag[] = ALL_GLOBALS,
): Arguments {
  const flags = new Map(
    Object.entries(fields)
      .filter(([, field]) => !field.flag?.position && !field.flag?.hidden)
      .map(([name, field]) => [flagName(name, field), { name, field }]),
  )
  const input: Record<string, unknown> = {}
  const globals = new Set<GlobalFlag>()
  const positions: string[] = []
  let afterMark: readonly string[] = []
  let project: string | undefined
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    if (word === '--') {
      afterMark = words.slice(i + 1)
      break
    }
    if (!word.startsWith('-') || word === '-') {
      positions.push(word)
      continue
    }
    const [typed, attached] = splitFlag(word)
    const shared = known.find(flag => flag === typed)
    if (shared) {
      if (attached !== undefined) throw wrong(`\`--${typed}\` takes no value, got \`${attached}\``)
      globals.add(shared)
      continue
    }
    const takeValue = (): string => {
      if (attached === undefined) i += 1
      const value = attached ?? words[i]
      if (value === undefined) throw wrong(`\`--${typed}\` expects a value`)
      if (value === '') throw emptyValue(typed)
      return value
    }
    if (typed === 'project' && !flags.has(typed)) {
      project = takeValue()
      continue
    }
    const flag = flags.get(typed)
    if (!flag) throw unknownFlag(word, [...flags.keys(), ...known, 'project'])
    if (flag.field.type === 'boolean' && attached === undefined) input[flag.name] = true
    else addValue(input, flag.name, flag.field, takeValue())
  }
  placePositions(fields, positions, afterMark, input)
  return { input, globals, project }
}

function splitFlag(word: string): [string, string | undefined] {
  if (word === '-h') return ['help', undefined]
  const bare = word.replace(/^--?/, '')
  const equals = bare.indexOf('=')
  return equals === -1 ? [bare, undefined] : [bare.slice(0, equals), bare.slice(equals + 1)]
}

function addValue(input: Record<string, unknown>, name: string, field: FieldSpec, text: string): void {
  const form = field.flag?.form
  if (form === 'pairs' || form === 'conditions') {
    const equals = text.indexOf('=')
    if (equals < 1) throw wrong(`\`--${flagName(name, field)}\` expects NAME=VALUE, got \`${text}\``)
    const [key, value] = [text.slice(0, equals), text.slice(equals + 1)]
    const pairs = { ...(input[name] as Record<string, Condition> | undefined) }
    const before = Object.hasOwn(pairs, key) ? pairs[key] : undefined
    if (form === 'pairs' && before !== undefined) throw repeatedPair(flagName(name, field), key)
    input[name] = { ...pairs, [key]: form === 'conditions' ? addCondition(before, value) : value }
  } else if (field.type === 'strings') {
    input[name] = [...((input[name] as string[] | undefined) ?? []), text]
  } else {
    if (Object.hasOwn(input, name))
      throw wrong(`\`--${flagName(name, field)}\` was given twice; it takes one value`)
    input[name] = convert(flagName(name, field), field, text)
  }
}

/** One value, or several that must all hold. */
type Condition = string | { readonly all: readonly string[] }

function addCondition(before: Condition | undefined, text: string): Condition {
  if (before === undefined) return text
  return { all: [...(typeof before === 'string' ? [before] : before.all), text] }
}

function convert(flag: string, field: FieldSpec, text: string): unknown {
  if (field.flag?.form === 'json' && text !== '-') {
    try {
      return JSON.parse(text)
    } catch (cause) {
      throw wrong(`\`--${flag}\` expects JSON: ${flattenText((cause as Error).message)}`, cause)
    }
  }
  switch (field.type) {
    case 'integer':
    case 'number': {
      const value = text.trim() === '' ? Number.NaN : Number(text)
      if (Number.isNaN(value)) throw wrong(`\`--${flag}\` expects a number, got \`${text}\``)
      return value
    }
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true'
      throw wrong(`\`--${flag}\` expects true or false, got \`${text}\``)
    case 'any':
      return readLoosely(text)
    default:
      return text
  }
}

/**
 * A JSON value, such as a number, a boolean or an object, if the text parses as one; otherwise the text
 * itself.
 */
function readLoosely(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: a plain word.
    return text
  }
}

/**
 * If the command takes a command line, that starts after `--`, even when the name before it was forgotten.
 */
function placePositions(
  fields: Fields,
  beforeMark: readonly string[],
  afterMark: readonly string[],
  input: Record<string, unknown>,
): void {
  const rest = [...beforeMark, ...afterMark]
  const takesCommand = Object.values(fields).some(
    ({ type, flag }) => type === 'strings' && flag?.position === 'rest',
  )
  for (const [name, field] of Object.entries(fields)) {
    const position = field.flag?.position
    if (!position || rest.length === 0) continue
    if (position === 'first' && takesCommand && rest.length === afterMark.length) continue
    if (position === 'first') input[name] = rest.shift()
    else if (field.type === 'strings') input[name] = rest.splice(0)
    else input[name] = rest.splice(0).join(' ')
  }
  if (rest.length > 0) throw unexpected(fields, rest[0]!)
}

/** Other programs take `who=Ada` as a parameter, so the flag for one is suggested. */
function unexpected(fields: Fields, word: string): AppError {
  const pairs = Object.entries(fields).find(([, field]) => field.flag?.form === 'pairs')
  const meant = pairs && /^\w+=/.test(word) ? `; did you mean \`--${flagName(...pairs)} ${word}\`?` : ''
  return wrong(`unexpected \`${word}\`${meant}`)
}

function unknownFlag(word: string, known: readonly string[]): AppError {
  const [typed] = splitFlag(word)
  const close = nearest(typed, known)[0]
  return wrong(`unknown flag \`${word}\`${close ? `; did you mean \`--${close}\`?` : ''}`)
}

function repeatedPair(flag: string, key: string): AppError {
  return new AppError('INVALID_INPUT', `\`--${flag} ${key}=\` was given twice; it takes one value`, {
    ...(flag === 'param' && { hint: `a list is one value, in JSON: \`--param ${key}='["a", "b"]'\`` }),
  })
}

/** Rejected, because an empty value would mean another folder, another host or every item. */
function emptyValue(flag: string): AppError {
  return new AppError('INVALID_INPUT', `\`--${flag}\` expects a value, got an empty text`, {
    hint: 'an unset shell variable is empty',
  })
}

function wrong(message: string, cause?: unknown): AppError {
  return new AppError('INVALID_INPUT', message, { cause })
}
