// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of the shell
import {
  type CompletedCommand,
  type Flag,
  firstWordOf,
  firstWords,
  flagsOf,
  groups,
  summaryOf,
} from './commands.ts'

export function zshScript(commands: readonly CompletedCommand[]): string {
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
    // `_arguments` takes the first word to be the command, so words that belong to ours are shifted away.
    '  shift words; (( CURRENT-- ))',
    '  case "$command" in',
    ...groups(commands).map(([group, seconds]) => {
      const pairs = seconds.map(second => [second, summaryOf(commands, `${group} ${second}`)] as const)
      return `    ${group}) if [[ "\${words[2]}" != -* ]]; then if (( CURRENT == 2 )); then choices=(${describe(pairs)}); _describe command choices; return; fi; command="$command \${words[2]}"; shift words; (( CURRENT-- )); fi ;;`
    }),
    '  esac',
    '  case "$command" in',
    ...commands.map(
      command =>
        `    ${JSON.stringify(command.name)}) _arguments ${[...flagsOf(command).map(zshFlag), ...zshWords(command)].join(' ')} ;;`,
    ),
    '    *) _files ;;',
    '  esac',
    '}',
    '_rye_items() {',
    '  local -a found',
    '  found=(${(f)"$(rye completion items "$PREFIX" 2>/dev/null)"})',
    "  compadd -S '' -- ${(M)found:#*/}",
    '  compadd -- ${found:#*/}',
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

function zshWords(command: CompletedCommand): string[] {
  const { values, isItem } = firstWordOf(command)
  if (isItem) return [quote('*:item:_rye_items')]
  return [...(values.length > 0 ? [quote(`1:word:(${values.join(' ')})`)] : []), quote('*:file:_files')]
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
