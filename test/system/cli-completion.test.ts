// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of the shell
// Completion is sourced into a real shell and asked as the shell asks.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePlace, type Place, PROGRAM } from './run-rye.ts'

let place: Place
beforeAll(() => {
  place = makePlace()
})
afterAll(() => place.remove())

describe('bash completion', () => {
  async function complete(...words: string[]): Promise<string[]> {
    const script = [
      `rye() { ${process.execPath} ${PROGRAM} "$@"; }`,
      'source <(rye completion bash)',
      `COMP_WORDS=(${words.map(word => JSON.stringify(word)).join(' ')})`,
      'COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 ))',
      '_rye',
      'printf "%s\\n" "${COMPREPLY[@]}"',
    ]
    const { stdout, stderr } = await place.run('bash', ['--norc', '-c', script.join('\n')])
    expect(stderr).toBe('')
    return stdout.split('\n').filter(line => line !== '')
  }

  it.each([
    [['rye', 'sea'], ['search']],
    [['rye', 'ke'], ['keys']],
    [
      ['rye', 'keys', ''],
      ['generate', 'show', 'list', 'trust', 'remove'],
    ],
    [['rye', 'keys', 're'], ['remove']],
    [['rye', 'search', '--ty'], ['--type']],
    [['rye', 'search', '--type', 'd'], ['directive']],
    [
      ['rye', 'search', '--sort', ''],
      ['score', 'date', 'name'],
    ],
    [['rye', 'keys', 'generate', '--fr'], ['--from-env']],
    [['rye', 'execute', '--dry'], ['--dry-run']],
    [['rye', 'verify', 'x'], []],
    [['rye', 'completion', ''], []],
    [['rye', 'nonsense', '--x'], []],
  ])('%j', async (words, expected) => {
    expect(await complete(...words)).toEqual(expected)
  })

  it('knows every command that help lists', async () => {
    const help = (await place.rye(['--help'])).stdout
    const listed = [...help.matchAll(/^ {2}(\S+)/gm)].map(match => match[1])
    expect([...new Set(listed)].sort()).toEqual((await complete('rye', '')).sort())
  })
})

it.each(['zsh', 'fish'])('%s completion is printed', async shell => {
  const ran = await place.rye(['completion', shell])
  expect(ran).toMatchObject({ status: 0, stderr: '' })
  for (const word of ['search', 'generate', 'dry-run', 'directive']) expect(ran.stdout).toContain(word)
})
