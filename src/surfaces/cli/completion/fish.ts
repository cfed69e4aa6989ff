import {
  type CompletedCommand,
  type Flag,
  firstWordOf,
  firstWords,
  flagsOf,
  groups,
  summaryOf,
} from './commands.ts'

export function fishScript(commands: readonly CompletedCommand[]): string {
  const describe = (word: string, name: string) => `-a ${word} -d ${quote(summaryOf(commands, name))}`
  return [
    '# rye completion for fish: rye completion fish | source',
    // `__rye_in`: whether the words before the current one start with these. `__rye_after`: whether they are
    // exactly these.
    'function __rye_in; set -l said (commandline -opc); set -l last (math 1 + (count $argv)); test "$said[2..$last]" = "$argv"; end',
    'function __rye_after; __rye_in $argv; and test (count (commandline -opc)) -eq (math 1 + (count $argv)); end',
    ...firstWords(commands).map(
      word => `complete -c rye -f -n 'test (count (commandline -opc)) -eq 1' ${describe(word, word)}`,
    ),
    ...groups(commands).flatMap(([group, seconds]) =>
      seconds.map(
        second => `complete -c rye -f -n '__rye_after ${group}' ${describe(second, `${group} ${second}`)}`,
      ),
    ),
    ...commands.flatMap(command => [
      ...flagsOf(command).map(flag => `complete -c rye -n '__rye_in ${command.name}' ${fishFlag(flag)}`),
      ...fishWords(command),
    ]),
    '',
  ].join('\n')
}

function fishFlag({ name, about, takesValue, values }: Flag): string {
  const value = values.length > 0 ? ` -xa '${values.join(' ')}'` : ' -r'
  return `-l ${name}${takesValue ? value : ''} -d ${quote(about)}`
}

function fishWords(command: CompletedCommand): string[] {
  const { values, isItem } = firstWordOf(command)
  const place = `complete -c rye -f -n '__rye_after ${command.name}'`
  if (isItem) {
    return [
      `complete -c rye -f -n '__rye_in ${command.name}' -a '(rye completion items (commandline -ct) 2>/dev/null)'`,
    ]
  }
  return values.length > 0 ? [`${place} -a '${values.join(' ')}'`] : []
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
