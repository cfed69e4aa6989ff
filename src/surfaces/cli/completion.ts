// Completion for shells, made from the same definitions as help: commands, their flags, and the values of flags that have a
// fixed set. Where none of these fits, the shell completes file names.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of the shells
import type { Fields } from '../../actions/index.ts'
import { flagName, GLOBAL_FLAGS } from './arguments.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

export interface CompletedCommand {
  /** One word, or two: `keys generate`. */
  readonly name: string
  readonly summary: string
  readonly fields: Fields
}

interface Flag {
  readonly name: string
  readonly about: string
  readonly takesValue: boolean
  readonly values: readonly string[]
}

export function printCompletion(shell: Shell, commands: readonly CompletedCommand[]): string {
  switch (shell) {
    case 'bash':
      return bashScript(commands)
    case 'zsh':
      return zshScript(commands)
    case 'fish':
      return fishScript(commands)
  }
}

function bashScript(commands: readonly CompletedCommand[]): string {
  return [
    '# rye completion for bash: source <(rye completion bash)',
    '_rye() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"',
    '  local command="${COMP_WORDS[1]}" words=""',
    '  COMPREPLY=()',
    '  if (( COMP_CWORD == 1 )); then',
    `    words="${firstWords(commands).join(' ')}"`,
    '  else',
    '    case "$command" in',
    ...groups(commands).map(
      ([group, seconds]) =>
        `      ${group}) if (( COMP_CWORD == 2 )); then words="${seconds.join(' ')}"; else command="$command \${COMP_WORDS[2]}"; fi ;;`,
    ),
    '    esac',
    '    case "$command $previous" in',
    ...commands.flatMap(({ name, fields }) =>
      flagsOf(fields)
        .filter(flag => flag.values.length > 0)
        .map(
          flag =>
            `      ${JSON.stringify(`${name} --${flag.name}`)}) COMPREPLY=($(compgen -W "${flag.values.join(' ')}" -- "$current")); return ;;`,
        ),
    ),
    '    esac',
    '    if [[ "$current" == -* ]]; then',
    '      case "$command" in',
    ...commands.map(
      ({ name, fields }) =>
        `        ${JSON.stringify(name)}) words="${flagsOf(fields)
          .map(flag => `--${flag.name}`)
          .join(' ')}" ;;`,
    ),
    '      esac',
    '    fi',
    '  fi',
    '  if [[ -n "$words" ]]; then COMPREPLY=($(compgen -W "$words" -- "$current")); fi',
    '}',
    'complete -o default -F _rye rye',
    '',
  ].join('\n')
}

function zshScript(commands: readonly CompletedCommand[]): string {
  const describe = (pairs: readonly (readonly [string, string])[]) =>
    pairs.map(([word, about]) => quote(`${word.replaceAll(':', '\\:')}:${about}`)).join(' ')
  return [
    '#compdef rye',
    '# rye completion for zsh: source <(rye completion zsh)',
    '_rye() {',
    '  local command="${words[2]}"',
    '  local -a choices',
    '  if (( CURRENT == 2 )); then',
    `    choices=(${describe(firstWords(commands).map(word => [word, summaryOf(commands, word)]))})`,
    '    _describe command choices; return',
    '  fi',
    '  case "$command" in',
    ...groups(commands).map(([group, seconds]) => {
      const pairs = seconds.map(second => [second, summaryOf(commands, `${group} ${second}`)] as const)
      return `    ${group}) if (( CURRENT == 3 )); then choices=(${describe(pairs)}); _describe command choices; return; fi; command="$command \${words[3]}" ;;`
    }),
    '  esac',
    '  case "$command" in',
    ...commands.map(({ name, fields }) => {
      const flags = flagsOf(fields).map(flag => zshFlag(flag))
      return `    ${JSON.stringify(name)}) _arguments ${flags.join(' ')} '*:file:_files' ;;`
    }),
    '    *) _files ;;',
    '  esac',
    '}',
    'compdef _rye rye',
    '',
  ].join('\n')
}

function zshFlag({ name, about, takesValue, values }: Flag): string {
  const text = about.replaceAll(/[[\]:\\]/g, ' ')
  const action = values.length > 0 ? `(${values.join(' ')})` : '_files'
  return quote(`*--${name}[${text}]${takesValue ? `:value:${action}` : ''}`)
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const firsts = firstWords(commands)
  const isGroup = new Map(groups(commands))
  return [
    '# rye completion for fish: rye completion fish | source',
    ...firsts.map(
      word =>
        `complete -c rye -n __fish_use_subcommand -a ${word} -d ${fishQuote(summaryOf(commands, word))}`,
    ),
    ...[...isGroup].flatMap(([group, seconds]) =>
      seconds.map(
        second =>
          `complete -c rye -n '__fish_seen_subcommand_from ${group}; and not __fish_seen_subcommand_from ${seconds.join(' ')}' -a ${second} -d ${fishQuote(summaryOf(commands, `${group} ${second}`))}`,
      ),
    ),
    ...commands.flatMap(({ name, fields }) => {
      const seen = name
        .split(' ')
        .map(word => `__fish_seen_subcommand_from ${word}`)
        .join('; and ')
      return flagsOf(fields).map(flag => {
        const value = flag.takesValue
          ? flag.values.length > 0
            ? ` -xa '${flag.values.join(' ')}'`
            : ' -r'
          : ''
        return `complete -c rye -n '${seen}' -l ${flag.name}${value} -d ${fishQuote(flag.about)}`
      })
    }),
    '',
  ].join('\n')
}

function flagsOf(fields: Fields): Flag[] {
  const own = Object.entries(fields)
    .filter(([, field]) => !field.flag?.position && !field.flag?.hidden)
    .map(
      ([name, field]): Flag => ({
        name: flagName(name, field),
        about: field.about,
        takesValue: field.type !== 'boolean',
        values: field.values ?? [],
      }),
    )
  const shared = Object.entries(GLOBAL_FLAGS).map(
    ([name, about]): Flag => ({ name, about, takesValue: false, values: [] }),
  )
  return [...own, ...shared, { name: 'project', about: 'the project', takesValue: true, values: [] }]
}

function firstWords(commands: readonly CompletedCommand[]): string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ')[0]!))]
}

/** First words that need a second, with their seconds. */
function groups(commands: readonly CompletedCommand[]): [string, string[]][] {
  const found = new Map<string, string[]>()
  for (const { name } of commands) {
    const [first, second] = name.split(' ')
    if (second !== undefined) found.set(first!, [...(found.get(first!) ?? []), second])
  }
  return [...found]
}

function summaryOf(commands: readonly CompletedCommand[], name: string): string {
  const seconds = groups(commands).find(([group]) => group === name)?.[1]
  return commands.find(command => command.name === name)?.summary ?? seconds?.join(', ') ?? ''
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
