// Reads a command line, as one would type it, into a program and its arguments. No shell is involved: quotes
// hold words together, and what only a shell could do (pipes, redirections, variables, patterns) is refused
// instead of being passed on as text.
import { posix } from 'node:path'
import { AppError, quoteText } from '../../../base/index.ts'
import { type NewParameter, readParameter, uniteParameters } from './parameters.ts'

export interface CommandLine {
  /** A name, an absolute path, or one that begins with `{project_path}`. */
  readonly command: string
  /** With `{name}` in place of each value. */
  readonly args: readonly string[]
  readonly parameters: readonly NewParameter[]
}

/** Throws `INVALID_INPUT`, with a hint at what would work. */
export function readCommandLine(text: string): CommandLine {
  const [command, ...words] = splitWords(text)
  if (command === undefined || command === '') throw wrong('expected a command, got an empty text')
  if (/^[A-Za-z_]\w*=/.test(command))
    throw wrong(
      `expected a program, got ${quoteText(command)}, which sets a variable for a shell`,
      'let a program set it: `env NAME=VALUE PROGRAM ...`',
    )
  const program = placeProgram(command)
  if (PLACEHOLDER.test(program.replace(IN_PROJECT, '')))
    throw wrong('the program itself cannot be a parameter')
  const parameters: NewParameter[] = []
  const args = words.map((word, index) =>
    word.replaceAll(PLACEHOLDERS, (whole, inner: string) => {
      // Every tool knows it already, so it is not a parameter.
      if (inner === 'project_path') return whole
      const parameter = readParameter(inner)
      checkPlace(parameter, word, words[index - 1])
      parameters.push(parameter)
      return `{${parameter.name}}`
    }),
  )
  return { command: program, args, parameters: uniteParameters(parameters) }
}

/** How hints write a path in the project. */
const IN_PROJECT = /^\{project_path\}\//

/** A bare name is looked up on the `PATH`; `./deploy.sh` is a file of the project, on any machine. */
function placeProgram(typed: string): string {
  const command = typed.replace(IN_PROJECT, './')
  const isRelative = command.includes('/') && !posix.isAbsolute(command)
  return isRelative ? `{project_path}/${posix.normalize(command)}` : command
}

/** `{name}` and what may follow the name. Other braces must be quoted and are passed to the program. */
const PLACEHOLDER = /\{[A-Za-z_]\w{0,63}\??(?::[A-Za-z]+)?(?:=[^{}]*)?\}/
const PLACEHOLDERS = new RegExp(`\\{(${PLACEHOLDER.source.slice(2, -2)})\\}`, 'g')

/**
 * An optional parameter must be a whole argument, which is dropped when it is left out. Half an argument, or
 * an option without its value, would mean something else.
 */
function checkPlace(
  { name, type, required, default: fallback }: NewParameter,
  word: string,
  before = '',
): void {
  const isWhole = PLACEHOLDER.exec(word)?.[0] === word
  if (!isWhole && (type === 'array' || type === 'object'))
    throw wrong(`\`{${name}:${type}}\` must be an argument of its own`)
  if (required || fallback !== undefined) return
  if (!isWhole)
    throw wrong(
      `\`{${name}?}\` is only part of an argument, and the rest would stay when it is left out`,
      DEFAULT,
    )
  if (before.startsWith('-') && before !== '--' && !before.includes('='))
    throw wrong(
      `\`${before}\` would be left without \`{${name}?}\``,
      `${DEFAULT}; if \`${before}\` takes no value, put \`--\` between: \`${before} -- {${name}?}\``,
    )
}

const DEFAULT = 'give it a default: `{name:integer=5}`'

/** Words between blanks; quotes and backslashes as in a shell. */
function splitWords(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!
    if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
      continue
    }
    word ??= ''
    if (character === "'" || character === '"') {
      const end = text.indexOf(character, i + 1)
      if (end === -1) throw wrong(`the quote ${character} at ${i + 1} has no end`)
      const quoted = text.slice(i + 1, end)
      if (character === '"' && /[\\$`]/.test(quoted)) throw needsShell(quoted)
      word += quoted
      i = end
    } else if (character === '\\' && i + 1 < text.length) {
      i++
      word += text[i]
    } else if (character === '{' && PLACEHOLDER_AT.test(text.slice(i))) {
      const [placeholder] = PLACEHOLDER_AT.exec(text.slice(i))!
      word += placeholder
      i += placeholder.length - 1
    } else if (text.startsWith('{}', i)) {
      // The placeholder of `find` and `xargs`.
      word += '{}'
      i++
    } else if (character === '{' || character === '}') throw oddBrace(text.slice(i))
    else if (SHELL.includes(character)) throw needsShell(character)
    else word += character
  }
  return word === undefined ? words : [...words, word]
}

const PLACEHOLDER_AT = new RegExp(`^${PLACEHOLDER.source}`)
const SHELL = '|&;<>()$`*?~#!'

/** A parameter was probably meant; the program would get the braces. */
function oddBrace(rest: string): AppError {
  const [typed] = /^(?:\{[^\s{}]*\}?|\})/.exec(rest)!
  return wrong(
    `expected a parameter such as \`{name}\` or \`{name:integer=5}\`, got ${quoteText(typed)}`,
    "a name is made of letters, digits and `_`; in quotes a brace is for the program: `'{ ... }'`",
  )
}

function needsShell(text: string): AppError {
  return wrong(
    `${quoteText(text)} is for a shell, and a command is run without one`,
    'quote it if it is meant as it stands; for a pipe or a variable, write a script: `--language bash`',
  )
}

function wrong(message: string, hint?: string): AppError {
  return new AppError('INVALID_INPUT', message, { hint })
}
