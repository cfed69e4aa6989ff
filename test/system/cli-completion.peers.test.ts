// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of the shell
// Completion is sourced into real shells and queried as each shell does.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePlace, type Place, PROGRAM } from './run-rye.ts'

const RYE = `rye() { ${process.execPath} ${PROGRAM} "$@"; }`

let place: Place
/** The script of a shell, as a person would keep it. */
const scriptOf = (shell: string) => join(place.root, shell)

beforeAll(async () => {
  place = makePlace()
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { status, stdout } = await place.rye(['completion', shell])
    expect(status).toBe(0)
    writeFileSync(scriptOf(shell), stdout)
  }
  // Names that are no ids, made to be run by a careless script, and many below one folder.
  const odd = [
    '$(touch hacked).py',
    '`touch hacked`.py',
    'a b.py',
    "it's.py",
    '*.py',
    '-rf.py',
    'new\nline.py',
  ]
  const many = Array.from({ length: 120 }, (_, number) => `many/n${number}.py`)
  for (const name of [...odd, ...many, 'ops/greet.py', 'ops/group.py', 'ops.v2/x-y_z.py']) {
    const path = join(place.project, '.ai/tools', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, 'x = 1\n')
  }
})
afterAll(() => {
  expect(existsSync(join(place.project, 'hacked'))).toBe(false)
  place.remove()
})

/** What every shell offers, by the words before the cursor; the last word is being typed. */
const CASES: [string[], string[]][] = [
  [['sea'], ['search']],
  [['ke'], ['keys']],
  [['keys', 'rem'], ['remove']],
  [['search', '--ty'], ['--type']],
  [['search', '--type', 'd'], ['directive']],
  [['keys', 'generate', '--fr'], ['--from-env']],
  [['execute', '--dry'], ['--dry-run']],
  [
    ['mcp', '--to'],
    ['--token-file', '--tokens'],
  ],
  [['mcp', '--profile', 'f'], ['four']],
  [['mcp', '--js'], []],
  [['completion', 'z'], ['zsh']],
  [['new', 'k'], ['knowledge']],
  [
    ['execute', 'ops/gr'],
    ['ops/greet', 'ops/group'],
  ],
  [['load', 'ops.'], ['ops.v2/x-y_z']],
  [['show', 'tool:ops/gre'], ['tool:ops/greet']],
  [
    ['execute', 'tool:'],
    ['tool:many/', 'tool:ops.v2/', 'tool:ops/', 'tool:rye/'],
  ],
  [['execute', 'no/such/'], []],
  [['execute', '$(touch hacked'], []],
  [['execute', '*'], []],
]

describe('bash completion', () => {
  async function complete(...words: string[]): Promise<string[]> {
    const script = [
      RYE,
      `source '${scriptOf('bash')}'`,
      `COMP_WORDS=(${words.map(word => `'${word}'`).join(' ')})`,
      'COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))',
      '_rye',
      'printf "%s\\n" "${COMPREPLY[@]}"',
    ]
    const { stdout, stderr } = await place.run('bash', ['--norc', '-c', script.join('\n')])
    expect(stderr).toBe('')
    return stdout === '\n' ? [] : stdout.trimEnd().split('\n')
  }

  it.each(CASES)('%j', async (words, expected) => {
    // Bash breaks words at colons, and puts in only what follows the last one.
    const broken = words.flatMap(word => word.split(/(:)/).filter(part => part !== ''))
    const bare = expected.map(word => word.replace(/^\w+:/, ''))
    expect(await complete('rye', ...broken)).toEqual(bare)
  })

  it('offers what a command can begin with', async () => {
    expect(await complete('rye', 'keys', '')).toEqual([
      ...['generate', 'show', 'list', 'trust', 'offer', 'export', 'rotate', 'revoke', 'remove'],
    ])
    expect(await complete('rye', 'search', '--sort', '')).toEqual(['score', 'date', 'name'])
    expect(await complete('rye', 'load', 'x', '--version', '')).toEqual([])
    expect(await complete('rye', 'verify', 'x')).toEqual([])
    expect(await complete('rye', 'nonsense', '--x')).toEqual([])
  })

  it('knows every command that help lists, and every flag of rye mcp', async () => {
    const listed = (help: string, form: RegExp) =>
      [...new Set([...help.matchAll(form)].map(match => match[1]))].sort()
    const commands = listed((await place.rye(['--help'])).stdout, /^ {2}(\S+)/gm)
    expect((await complete('rye', '')).sort()).toEqual(commands)
    const flags = listed((await place.rye(['mcp', '--help'])).stdout, /^ {2}(--\S+)/gm)
    expect((await complete('rye', 'mcp', '--')).sort()).toEqual(flags)
  })
})

describe('fish completion', () => {
  it.each(CASES)('%j', async (words, expected) => {
    const line = ['rye', ...words].join(' ')
    const script = [
      `function rye; ${process.execPath} ${PROGRAM} $argv; end`,
      `source '${scriptOf('fish')}'`,
      `complete -C '${line.replaceAll("'", "\\'")}'`,
    ]
    const { stdout, stderr } = await place.run('fish', ['--no-config', '-c', script.join('\n')])
    expect(stderr).toBe('')
    const found = stdout.split('\n').flatMap(row => row.split('\t')[0] || [])
    expect(found.sort()).toEqual([...expected].sort())
  })
})

describe('zsh completion', () => {
  it.each(CASES)('%j', async (words, expected) => {
    // Zsh completes at a terminal only: one is made, and what would be offered is written down before the shell ends.
    const [inner, out] = [join(place.root, 'inner.zsh'), join(place.root, 'offered')]
    writeFileSync(out, '')
    writeFileSync(
      inner,
      [
        'autoload -Uz compinit; compinit -u -D',
        RYE,
        `source '${scriptOf('zsh')}'`,
        'compadd() {',
        '  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\\ * ]]; then builtin compadd "$@"; return; fi',
        '  local -a offered; builtin compadd -A offered "$@"',
        `  (( \${#offered} )) && print -rl -- $offered >> '${out}'; builtin compadd "$@"`,
        '}',
        'finish() { exit }; comppostfuncs=(finish)',
        "bindkey '^I' complete-word",
      ].join('\n'),
    )
    const script = [
      'zmodload zsh/zpty',
      'zpty z zsh -f -i',
      `zpty -w z "source '${inner}'"`,
      `zpty -w -n z ${quote(`rye ${words.join(' ')}`)}$'\\t'`,
      'while zpty -r z line; do :; done',
    ]
    const { stderr } = await place.run('zsh', ['-f', '-c', script.join('\n')], { env: { TERM: 'dumb' } })
    expect(stderr).toBe('')
    const offered = readFileSync(out, 'utf8').split('\n').filter(Boolean)
    expect([...new Set(offered)].sort()).toEqual([...expected].sort())
  })
})

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
