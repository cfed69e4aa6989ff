// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of the shell
import { type CompletedCommand, firstWordOf, firstWords, flagsOf, groups } from './commands.ts'

export function bashScript(commands: readonly CompletedCommand[]): string {
  return [
    '# rye completion for bash: source <(rye completion bash)',
    '_rye() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"',
    '  local command="${COMP_WORDS[1]}" words="" first=2 line',
    '  COMPREPLY=()',
    '  if (( COMP_CWORD == 1 )); then',
    `    words="${firstWords(commands).join(' ')}"`,
    '  else',
    '    case "$command" in',
    ...groups(commands).map(
      ([group, seconds]) =>
        // `mcp` is also a command by itself, so its flags may follow directly.
        `      ${group}) if [[ "\${COMP_WORDS[2]}" == -* ]]; then :; elif (( COMP_CWORD == 2 )); then words="${seconds.join(' ')}"; else command="$command \${COMP_WORDS[2]}" first=3; fi ;;`,
    ),
    '    esac',
    '    case "$command $previous" in',
    ...commands.flatMap(valueCases),
    '    esac',
    '    if [[ "$current" == -* ]]; then',
    '      case "$command" in',
    ...commands.map(
      command =>
        `        ${JSON.stringify(command.name)}) words="${flagsOf(command)
          .map(flag => `--${flag.name}`)
          .join(' ')}" ;;`,
    ),
    '      esac',
    '    else',
    '      case "$command" in',
    ...commands.flatMap(firstWordCase),
    '      esac',
    '    fi',
    '  fi',
    '  if [[ -n "$words" ]]; then COMPREPLY=($(compgen -W "$words" -- "$current")); fi',
    '}',
    // For bash a colon ends a word: `tool:rye/b` arrives as three words, and only the part after the colon is
    // inserted.
    '_rye_items() {',
    '  local typed="$1" before=""',
    '  if [[ "$typed" == ":" ]]; then typed="" before="${COMP_WORDS[COMP_CWORD-1]}:"',
    '  elif [[ "$2" == ":" ]]; then before="${COMP_WORDS[COMP_CWORD-2]}:"; fi',
    '  while IFS= read -r line; do',
    '    COMPREPLY+=("${line#"$before"}")',
    '    if [[ "$line" == */ ]] && type compopt >/dev/null 2>&1; then compopt -o nospace 2>/dev/null; fi',
    '  done < <(rye completion items "$before$typed" 2>/dev/null)',
    '}',
    'complete -o default -F _rye rye',
    '',
  ].join('\n')
}

/** Completes the value after a flag: its known values, or whatever the shell itself offers. */
function valueCases(command: CompletedCommand): string[] {
  const taking = flagsOf(command).filter(flag => flag.takesValue)
  const patterns = (flags: typeof taking) =>
    flags.map(flag => JSON.stringify(`${command.name} --${flag.name}`)).join('|')
  const free = taking.filter(flag => flag.values.length === 0)
  return [
    ...taking
      .filter(flag => flag.values.length > 0)
      .map(
        flag =>
          `      ${patterns([flag])}) COMPREPLY=($(compgen -W "${flag.values.join(' ')}" -- "$current")); return ;;`,
      ),
    ...(free.length === 0 ? [] : [`      ${patterns(free)}) return ;;`]),
  ]
}

function firstWordCase(command: CompletedCommand): string[] {
  const { values, isItem } = firstWordOf(command)
  const name = JSON.stringify(command.name)
  if (isItem) return [`        ${name}) _rye_items "$current" "$previous" ;;`]
  if (values.length === 0) return []
  return [`        ${name}) if (( COMP_CWORD == first )); then words="${values.join(' ')}"; fi ;;`]
}
