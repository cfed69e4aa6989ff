// Commands that are not actions: their flags are read, checked and explained like those of any other.
import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/base/app-error.ts'
import { otherCommands } from '../../src/program/other-commands.ts'
import { flagsOf } from '../../src/surfaces/cli/completion/commands.ts'
import { OTHER_FLAGS, type OtherCommand, runOther } from '../../src/surfaces/cli/other-command.ts'
import { createTerminal } from '../../src/surfaces/cli/terminal.ts'

const [, mcp] = otherCommands({ environment: {}, program: '', onStarted: () => {} }) as [
  OtherCommand,
  OtherCommand,
]

/** Runs a command with the fields of `rye mcp` that only notes its input. */
async function run(words: readonly string[], work: (input: object) => number = () => 0) {
  const written = { stdout: '', stderr: '' }
  const terminal = createTerminal(
    { write: text => (written.stdout += text) },
    { write: text => (written.stderr += text) },
    { color: false, quiet: false },
  )
  let input: object | undefined
  const { fields } = await mcp.load()
  const command: OtherCommand = {
    ...mcp,
    load: async () => ({
      fields,
      run: async given => {
        input = given
        return work(given)
      },
    }),
  }
  const status = await runOther(terminal, command, words, {
    directory: '/project',
    findProject: () => ({ path: '/project' }),
  })
  return { status, input, ...written }
}

describe('rye mcp', () => {
  it.each<[string[], object]>([
    [[], { profile: 'four', http: false, project_path: '/project' }],
    [['--profile', 'all', '--project', 'sub'], { profile: 'all', project_path: '/project/sub' }],
    [
      ['--http', '--port=0', '--host', '::1', '--token-file', 't'],
      { http: true, port: 0, host: '::1', token_file: 't' },
    ],
  ])('%j is read by its fields', async (words, expected) => {
    const ran = await run(words)
    expect(ran).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(ran.input).toMatchObject(expected)
  })

  it.each([
    [['--profile', 'five'], '`--profile`: expected one of four, three, all, got `five`'],
    [['--port', '65536'], '`--port`: expected a whole number from 0 to 65535, got `65536`'],
    [['--port', 'x'], '`--port` expects a number, got `x`'],
    [['--prot', '1'], 'unknown flag `--prot`; did you mean `--port`?'],
    [['--json', '--port', '1'], '`rye mcp` has no answer to print as JSON\nhint: leave `--json` out'],
    [['serve'], 'unexpected `serve`'],
  ])('%j is a wrong call', async (words, error) => {
    const ran = await run(words)
    expect(ran).toMatchObject({ status: 2, stdout: '', input: undefined })
    expect(ran.stderr).toContain(`error: ${error}\n`)
    expect(ran.stderr).toContain('usage: rye mcp [flags]\n')
  })

  it('shows a failure, and ends with 1', async () => {
    const ran = await run([], () => {
      throw new AppError('NOT_AVAILABLE', 'cannot listen', { hint: 'choose another port' })
    })
    expect(ran).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'error: cannot listen\nhint: choose another port\n',
    })
  })

  it('has the same flags in help and in completion', async () => {
    const { stdout } = await run(['--port', 'x', '--help'])
    const listed = [...stdout.matchAll(/^ {2}--([a-z-]+)/gm)].map(match => match[1])
    const { fields } = await mcp.load()
    expect(listed).toEqual(flagsOf({ ...mcp, fields, globals: OTHER_FLAGS }).map(({ name }) => name))
    expect(listed).toEqual([
      ...['profile', 'http', 'port', 'host', 'token-file', 'tokens', 'without-sandbox', 'allow-host', 'log'],
      ...['drain-notice', 'drain', 'help', 'project'],
    ])
  })
})
