// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these placeholders are what is tested
// Settings files of other clients, as READMEs show them, and how their secrets are handled.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readClientFile, readClientJson } from '../../../src/actions/servers/client-file.ts'
import { parseCommentedJson } from '../../../src/actions/servers/commented-json.ts'

const read = (servers: object) => readClientJson(JSON.stringify({ mcpServers: servers }), 'x.json')
const only = (entry: object) => read({ it: entry }).servers[0]!

describe('readClientFile', () => {
  it('reads the TOML of Codex and the settings of Zed', async () => {
    const toml = `model = "x"\n[mcp_servers.files]\ncommand = "npx"\nargs = ["-y", "files"]\nenv = { MODE = "a" }\n
      [mcp_servers.off]\ncommand = "x"\nenabled = false\n`
    expect(await readClientFile(toml, '.codex/config.toml')).toEqual({
      servers: [
        {
          name: 'files',
          input: { command: 'npx', args: ['-y', 'files'], env: { MODE: 'a' } },
          notes: ['`MODE` was copied as it is'],
        },
      ],
      skipped: [{ name: 'off', reason: 'it is disabled there' }],
    })
    const zed = '{ "context_servers": { "docs": { "command": "docs", "args": [] } }, }'
    expect((await readClientFile(zed, 'settings.json')).servers.map(({ name }) => name)).toEqual(['docs'])
  })

  it('says what is wrong with TOML', async () => {
    await expect(readClientFile('a = [', 'config.toml')).rejects.toThrow(/`config.toml`: expected TOML: /)
    await expect(readClientFile('a = 1', 'config.toml')).rejects.toThrow('expected a file with `mcpServers`')
  })

  it('reads `.mcp.json` and `claude_desktop_config.json`', () => {
    const args = ['-y', '@modelcontextprotocol/server-filesystem', '/home/ada/notes']
    expect(
      read({
        'my files': { command: 'npx', args },
        docs: { type: 'http', url: 'https://mcp.example.org/mcp' },
      }),
    ).toEqual({
      servers: [
        { name: 'my-files', input: { command: 'npx', args, env: {} }, notes: [] },
        { name: 'docs', input: { url: 'https://mcp.example.org/mcp', headers: {} }, notes: [] },
      ],
      skipped: [],
    })
  })

  it('reads `.vscode/mcp.json`, with comments, inputs and its own names', () => {
    const text = `{
      // asked for once
      "inputs": [{ "type": "promptString", "id": "github-token", "password": true }],
      "servers": {
        "github": {
          "command": "\${workspaceFolder}/bin/server", /* ours */
          "args": ["--home", "\${userHome}", "https://example.org//x",],
          "env": { "TOKEN": "\${input:github-token}", "MODE": "\${env:MODE}", },
        },
      },
    }`
    expect(readClientJson(text, 'x.json').servers).toEqual([
      {
        name: 'github',
        input: {
          command: '{project_path}/bin/server',
          args: ['--home', '${HOME}', 'https://example.org//x'],
          env: { TOKEN: '${GITHUB_TOKEN}', MODE: '${MODE}' },
        },
        notes: [],
      },
    ])
  })

  it('copies no secret: the item names a variable, and the note says which', () => {
    const { input, notes } = only({
      command: 'npx',
      env: { GITHUB_TOKEN: 'value-1', LOG_LEVEL: 'debug', OTHER: `ghp_${'a1'.repeat(18)}`, EMPTY_KEY: '' },
    })
    expect(input.env).toEqual({
      GITHUB_TOKEN: '${GITHUB_TOKEN}',
      LOG_LEVEL: 'debug',
      OTHER: '${OTHER}',
      EMPTY_KEY: '',
    })
    expect(notes).toEqual([
      "the value of `GITHUB_TOKEN` was not copied: set `GITHUB_TOKEN` in the environment of rye or in the project's .env",
      '`LOG_LEVEL` was copied as it is',
      "the value of `OTHER` was not copied: set `OTHER` in the environment of rye or in the project's .env",
    ])
    const remote = only({ url: 'https://x.example', headers: { Authorization: 'Bearer abc' } })
    expect(remote.input.headers).toEqual({ Authorization: '${IT_AUTHORIZATION}' })
    expect(only({ command: 'x', args: ['--api-key=sk-abc'] }).notes[0]).toContain('looks like a secret')
  })

  it('never holds a value that stands under the name of a secret', () => {
    const secret = fc.string({ minLength: 12 }).filter(text => !/[${}]/.test(text) && text.trim().length > 11)
    const name = fc.constantFrom('API_KEY', 'token', 'Client-Secret', 'DB_PASSWORD', 'SENTRY_DSN')
    fc.assert(
      fc.property(name, secret, (key, value) => {
        const made = JSON.stringify(only({ command: 'x', env: { [key]: value } }))
        expect(made).not.toContain(JSON.stringify(value).slice(1, -1))
      }),
    )
  })

  it.each([
    ['args = [{a = 1}]', '`args` holds something other than text'],
    ['args = ["x", [1]]', '`args` holds something other than text'],
    ['args = "x"', '`args` holds something other than text'],
    ['env = {A = {b = 1}}', '`env` holds something other than text'],
    ['headers = {A = 2020-01-01}', '`headers` holds something other than text'],
  ])('leaves out a server with `%s`', async (line, reason) => {
    const toml = `[mcp_servers.it]\ncommand = "x"\n${line}\n`
    expect(await readClientFile(toml, 'x.toml')).toEqual({ servers: [], skipped: [{ name: 'it', reason }] })
  })

  it('leaves out a server whose command is no text', async () => {
    expect((await readClientFile('[servers.it]\ncommand = {a = 1}\n', 'x.toml')).skipped).toEqual([
      { name: 'it', reason: 'it has neither `command` nor `url`' },
    ])
  })

  it('reads numbers and switches as texts, null as nothing, and every name', () => {
    const text =
      '{"mcpServers": {"it": {"command": "x", "args": [1, true], "env": {"N": 5, "NOT": null, "__proto__": "y"}}}}'
    const { input } = readClientJson(text, 'x.json').servers[0]!
    expect(input.args).toEqual(['1', 'true'])
    expect(Object.entries(input.env!)).toEqual([
      ['N', '5'],
      ['__proto__', 'y'],
    ])
  })

  it('leaves out what is disabled, what is rye itself, and what is nothing', () => {
    expect(
      read({
        off: { command: 'x', disabled: true },
        rye: { command: 'npx', args: ['-y', 'ryekit@1', 'mcp'] },
        here: { command: '/usr/bin/rye', args: ['mcp'] },
        none: {},
        text: 'x',
      }),
    ).toEqual({
      servers: [],
      skipped: [
        { name: 'off', reason: 'it is disabled there' },
        { name: 'rye', reason: '`rye` is rye itself' },
        { name: 'here', reason: '`here` is rye itself' },
        { name: 'none', reason: 'it has neither `command` nor `url`' },
        { name: 'text', reason: 'expected an object' },
      ],
    })
  })

  it.each(['', '[]', '{}', '{"mcpServers": 1}', '{"mcpServers"', 'x'.repeat(1000)])('refuses %j', text => {
    expect(() => readClientJson(text, 'x.json')).toThrow(/^`x.json`: expected/)
  })
})

it('says on one line what is no JSON', () => {
  expect(() => parseCommentedJson('not json\n', 'x.json')).toThrow(/^`x\.json`: expected JSON: [^\n]+$/)
})

it('parseCommentedJson reads all JSON as it is', () => {
  fc.assert(
    fc.property(fc.json(), text => {
      expect(parseCommentedJson(text, 'x.json')).toEqual(JSON.parse(text))
    }),
  )
})
