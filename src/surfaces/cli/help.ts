// The text of `--help`, made from the same definitions as everything else.
import type { FieldSpec, Fields } from '../../actions/index.ts'
import { ALL_GLOBALS, flagName, GLOBAL_FLAGS, type GlobalFlag } from './arguments.ts'
import { exampleOf } from './examples.ts'
import { hangingIndent } from './render/columns.ts'

interface Command {
  readonly name: string
  readonly summary: string
}

/** `rye --help` and `rye keys --help`: every command with its summary. */
export function overview(entries: readonly Command[], version: string, columns: number): string {
  const width = Math.max(...entries.map(entry => entry.name.length))
  const lines = entries.map(entry => hangingIndent(`  ${entry.name.padEnd(width)}  `, entry.summary, columns))
  const about = 'one small surface over a library of signed directives, tools, knowledge and skills'
  const example = entries.map(entry => exampleOf(entry.name)).find(text => text !== undefined)
  return [
    hangingIndent(`rye ${version}: `, about, columns),
    '',
    'usage: rye COMMAND [WORDS] [--json] [--project DIR]',
    '',
    ...lines,
    '',
    ...(example === undefined ? [] : [inOnePiece(example, columns), '']),
    'rye COMMAND --help shows one command; rye demo is a tour',
    'rye -C DIR COMMAND runs it as if started in DIR',
  ].join('\n')
}

const PROJECT = 'the project; without it, the nearest folder above that has .ai/'
const NEW_PROJECT = 'where DIR is looked up; without it, the current folder'

interface HelpOptions {
  readonly columns?: number
  /** Flags of every command that this one accepts too. */
  readonly globals?: readonly GlobalFlag[]
}

/** `rye COMMAND --help`. */
export function commandHelp(entry: Command, fields: Fields, options: HelpOptions = {}): string {
  const { columns = Number.POSITIVE_INFINITY, globals = ALL_GLOBALS } = options
  const shown = Object.entries(fields).filter(([, field]) => !field.flag?.hidden)
  const rows: [string, string][] = shown.map(([name, field]) => [label(name, field), about(field)])
  for (const flag of globals) rows.push([`--${flag}`, GLOBAL_FLAGS[flag]])
  if (Object.hasOwn(fields, 'project_path'))
    rows.push(['--project DIR', entry.name === 'init' ? NEW_PROJECT : PROJECT])
  const width = Math.max(...rows.map(([left]) => left.length))
  const example = exampleOf(entry.name)
  return [
    `usage: ${usage(entry.name, fields)}`,
    '',
    hangingIndent('', entry.summary, columns),
    '',
    ...rows.map(([left, right]) => hangingIndent(`  ${left.padEnd(width)}  `, right, columns).trimEnd()),
    ...(example === undefined ? [] : ['', inOnePiece(example, columns)]),
  ].join('\n')
}

/** Not wrapped, so that it can be copied. */
function inOnePiece(example: string, columns: number): string {
  const line = `example: ${example}`
  return line.length <= columns ? line : `example:\n  ${example}`
}

/** One line that shows how a command is typed. */
export function usage(name: string, fields: Fields): string {
  const words = Object.entries(fields)
    .filter(([, field]) => field.flag?.position)
    .map(([fieldName, field]) => {
      const word = label(fieldName, field)
      return field.required ? word : `[${word}]`
    })
  return ['rye', name, ...words, '[flags]'].join(' ')
}

/** Up to this many values are listed behind the flag; more are listed in its description. */
const MOST_VALUES = 5

function label(name: string, field: FieldSpec): string {
  const value = field.flag?.value ?? name.toUpperCase()
  if (field.flag?.position === 'rest' && field.type === 'strings') return `${value}...`
  if (field.flag?.position) return value
  const flag = `--${flagName(name, field)}`
  if (field.type === 'boolean') return flag
  return `${flag} ${field.values && field.values.length <= MOST_VALUES ? field.values.join('|') : value}`
}

function about(field: FieldSpec): string {
  const fallback =
    field.default !== undefined && field.default !== false
      ? ` (default ${JSON.stringify(field.default)})`
      : ''
  // A few values are already listed behind the flag.
  const values = field.values && field.values.length > MOST_VALUES && !field.flag?.position
  return `${field.about}${values ? `: ${field.values.join(', ')}` : ''}${fallback}`
}
