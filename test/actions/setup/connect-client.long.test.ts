import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { CLIENT_FILES } from '../../../src/actions/setup/init/client-files.ts'
import { type Answer, scratch } from '../../workspace/scratch.ts'

const SCRIPT = 'cd / && exec npx -y ryekit@0 -C "$OLDPWD" "$@"'
const PLAIN = { command: '/bin/sh', args: ['-c', SCRIPT, 'rye', 'mcp'] }

describe('the settings file of a client in the project', () => {
  it.each([
    ['claude', '.mcp.json', 'mcpServers', PLAIN],
    ['cursor', '.cursor/mcp.json', 'mcpServers', PLAIN],
    ['vscode', '.vscode/mcp.json', 'servers', { type: 'stdio', ...PLAIN }],
    ['gemini', '.gemini/settings.json', 'mcpServers', PLAIN],
    ['zed', '.zed/settings.json', 'context_servers', PLAIN],
    [
      'opencode',
      'opencode.json',
      'mcp',
      { type: 'local', command: [PLAIN.command, ...PLAIN.args], enabled: true },
    ],
  ])('of %s is made, or added to', async (client, file, key, entry) => {
    const made = await scratch({}, { key: false })
    const answer = await made.run('init', { client, no_items: true })
    expect(answer.created).toContain(made.path(file))
    expect(JSON.parse(made.read(file))).toEqual({ [key]: { rye: entry } })
    expect(answer.clients).toMatchObject([{ client, file, snippet: made.read(file) }])

    made.write(file, `{\n  // kept\n  "other": [1],\n  "${key}": {\n    "git": {} // mine\n  }\n}\n`)
    await made.run('init', { client })
    const text = made.read(file)
    expect(text).toContain('  // kept\n  "other": [1],')
    expect(text).toContain('"git": {}, // mine\n    "rye": {')
    const read = JSON.parse(text.replaceAll(/\/\/.*/g, ''))
    expect(read).toEqual({ other: [1], [key]: { git: {}, rye: entry } })
  })

  it('of Codex is appended to, and the rest of it stays', async () => {
    const text = '# mine\nmodel = "x" # this one\n\n[mcp_servers.git]\ncommand = "git-mcp"\n'
    const made = await scratch({ '.codex/config.toml': text })
    await made.run('init', { client: 'codex' })
    expect(made.read('.codex/config.toml')).toBe(
      `${text}\n[mcp_servers.rye]\ncommand = "/bin/sh"\nargs = ["-c", ${JSON.stringify(SCRIPT)}, "rye", "mcp"]\n`,
    )
    expect(parseToml(made.read('.codex/config.toml'))).toMatchObject({ mcp_servers: { git: {}, rye: PLAIN } })
  })

  it('of opencode is the one that is there', async () => {
    const made = await scratch({ 'opencode.jsonc': '{ "theme": "x", }' })
    await made.run('init', { client: 'opencode' })
    expect(made.read('opencode.jsonc')).toContain('"theme": "x", "mcp": {"rye":')
    expect(() => made.read('opencode.json')).toThrow('ENOENT')
  })

  it.each(['dependencies', 'devDependencies', 'optionalDependencies'])(
    'starts the package of the project where it is among the %s',
    async kind => {
      const made = await scratch({ 'package.json': JSON.stringify({ [kind]: { ryekit: '^0.1.0' } }) })
      await made.run('init', { client: 'claude' })
      expect(JSON.parse(made.read('.mcp.json')).mcpServers.rye).toEqual({
        command: 'node',
        args: ['node_modules/ryekit/dist/rye.cjs', 'mcp'],
      })
    },
  )

  it.each(['{', '[]', '{"dependencies": ["ryekit"]}', '{"dependencies": {"toString": "1"}}'])(
    'starts the published package where package.json holds %s',
    async manifest => {
      const made = await scratch({ 'package.json': manifest })
      await made.run('init', { client: 'claude' })
      expect(JSON.parse(made.read('.mcp.json')).mcpServers.rye).toEqual(PLAIN)
    },
  )

  it('names no path of this machine, nor a program that is not everywhere', async () => {
    const made = await scratch({}, { key: false })
    const { clients }: Answer = await made.run('init')
    for (const { client, snippet } of clients) {
      if (client === 'claude-desktop' || client === 'windsurf') continue
      for (const here of [made.root, process.cwd(), process.execPath]) expect(snippet).not.toContain(here)
      expect(snippet).toContain('exec npx -y ryekit@0')
    }
  })

  it.each([
    ['claude', '.mcp.json', '{"mcpServers": {"rye": {"command": "mine"}}}'],
    ['codex', '.codex/config.toml', '[mcp_servers."rye"]\ncommand = "mine"\n'],
    ['codex', '.codex/config.toml', 'mcp_servers = { rye = { command = "mine" } }\n'],
  ])('keeps an entry of ours in that of %s', async (client, file, text) => {
    const made = await scratch({ [file]: text })
    await made.run('init', { client })
    expect(made.read(file)).toBe(text)
  })

  it.each([
    ['claude', '.mcp.json', '{ mcpServers: {} }', 'line 1, column 3: expected a key in double quotes'],
    ['claude', '.mcp.json', '[]', 'expected an object in the file'],
    ['claude', '.mcp.json', '{"mcpServers": []}', 'expected an object in `mcpServers`'],
    ['codex', '.codex/config.toml', 'mcp_servers = [1]\n', ''],
    ['codex', '.codex/config.toml', 'nonsense =', ''],
  ])('is left alone when %s’s %s holds %j', async (client, file, text, problem) => {
    const made = await scratch({ [file]: text })
    const answer = await made.run('init', { client })
    expect(answer).toMatchObject({
      code: 'CONFIG_INVALID',
      hint: 'fix it, or paste the snippet yourself',
    })
    expect(answer.error).toContain(`cannot add our server to \`${file}\`: ${problem}`)
    expect(made.read(file)).toBe(text)
  })

  it('is not written through a link', async () => {
    const made = await scratch()
    const outside = join(made.root, 'outside.json')
    writeFileSync(outside, '{}')
    symlinkSync(outside, made.path('.mcp.json'))
    expect(await made.run('init', { client: 'claude' })).toMatchObject({
      status: 'error',
      error: expect.stringContaining('it is a symbolic link'),
      hint: expect.stringContaining('paste the snippet'),
    })
    expect(readFileSync(outside, 'utf8')).toBe('{}')
  })
})

describe('the settings file of a client in the home', () => {
  const WINDSURF = 'user:.codeium/windsurf/mcp_config.json'
  const entry = (project: string) => ({
    command: '/bin/sh',
    args: ['-c', SCRIPT, 'rye', 'mcp', '--project', project],
  })

  it('is written when that client is named, and not before', async () => {
    const made = await scratch({}, { key: false })
    const { clients } = await made.run('init')
    expect(() => made.read(WINDSURF)).toThrow('ENOENT')
    expect(clients.find(({ client }: Answer) => client === 'windsurf').file).toBe(made.path(WINDSURF))
    await made.run('init', { client: 'windsurf' })
    expect(JSON.parse(made.read(WINDSURF))).toEqual({ mcpServers: { rye: entry(made.project) } })
  })

  it('keeps what is there, and its links', async () => {
    const made = await scratch({ 'user:dotfiles/mcp.json': '{"mcpServers": {"git": {"command": "g"}}}' })
    mkdirSync(made.path('user:.codeium/windsurf'), { recursive: true })
    symlinkSync(made.path('user:dotfiles/mcp.json'), made.path(WINDSURF))
    await made.run('init', { client: 'windsurf' })
    expect(JSON.parse(made.read('user:dotfiles/mcp.json')).mcpServers).toEqual({
      git: { command: 'g' },
      rye: entry(made.project),
    })
    const before = made.read(WINDSURF)
    expect(await made.run('init', { client: 'windsurf', directory: 'another' })).toMatchObject({
      status: 'initialised',
    })
    expect(made.read(WINDSURF)).toBe(before)
  })

  it.each([
    ['darwin', {}, '/h/Library/Application Support/Claude/claude_desktop_config.json'],
    ['linux', {}, '/h/.config/Claude/claude_desktop_config.json'],
    ['linux', { XDG_CONFIG_HOME: '/x' }, '/x/Claude/claude_desktop_config.json'],
    ['linux', { XDG_CONFIG_HOME: 'x' }, '/h/.config/Claude/claude_desktop_config.json'],
    ['win32', { APPDATA: '/data' }, '/data/Claude/claude_desktop_config.json'],
    ['win32', {}, '/h/AppData/Roaming/Claude/claude_desktop_config.json'],
  ])('of Claude Desktop on %s with %j', (platform, environment, expected) => {
    const { path } = CLIENT_FILES['claude-desktop']
    expect(path({ home: '/h', platform, environment })).toBe(expected)
  })
})

it('is written where no key can be made, as long as nothing has to be signed', async () => {
  const made = await scratch({ 'user:.ai/config/keys': 'a file' }, { key: false })
  expect(await made.run('init', { client: 'claude' })).toMatchObject({ status: 'error' })
  const answer = await made.run('init', { client: 'claude', no_items: true })
  const folders = ['directives', 'tools', 'knowledge', 'skills'].map(name => made.path(`.ai/${name}`))
  expect(answer.created).toEqual([...folders, made.path('.mcp.json')])
})
