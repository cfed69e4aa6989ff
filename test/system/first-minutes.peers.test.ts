// The first minutes after an installation: the packed archive, in an empty folder, as an unprivileged user,
// in a terminal of 80 columns, with a PATH of only Node, npm and basic commands; and once more with
// everything that is installed.
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Installation, longLines, type Person, run } from './newcomer.ts'
import { type NpmRegistry, startRegistry } from './npm-registry.ts'

/** A minimal MCP server, without a package. */
const SERVER = `import { createInterface } from 'node:readline'
const reply = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') reply(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'tiny', version: '1' } })
  else if (method === 'tools/list') reply(id, { tools: [{ name: 'ping', inputSchema: { type: 'object' } }] })
  else if (method === 'tools/call') reply(id, { content: [{ type: 'text', text: 'pong' }] })
  else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no such method' } }))
})
`

let made: Installation
let registry: NpmRegistry
beforeAll(async () => {
  made = new Installation()
  registry = await startRegistry(join(made.root, 'registry'))
  const { host } = new URL(registry.url)
  const login = `--//${host}/:_authToken=${registry.token}`
  run('npm', ['publish', made.archive, `--registry=${registry.url}`, login], made.root)
}, 300_000)
afterAll(async () => {
  await registry?.stop()
  rmSync(made.root, { recursive: true, force: true })
})

describe('an installation', () => {
  const files = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(one => one.isFile())
      .map(one => join(one.parentPath, one.name))

  it('is one package below 20 MB, without a word about scripts', () => {
    const modules = join(made.root, 'app/node_modules')
    expect(readdirSync(modules).filter(name => !name.startsWith('.'))).toEqual(['ryekit'])
    expect(made.installed).not.toContain('warn')
    const bytes = files(modules).reduce((sum, file) => sum + statSync(file).size, 0)
    expect(bytes).toBeLessThan(20_000_000)
  })

  it('has every page that its pages lead to', () => {
    const folder = join(made.root, 'app/node_modules/ryekit')
    const pages = files(folder).filter(file => file.endsWith('.md') && !file.includes('/.ai/'))
    expect(pages.length).toBeGreaterThan(50)
    const broken = pages.flatMap(page =>
      [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s:]+)(?:#[^)]*)?\)/g)]
        .map(([, target]) => join(page, '..', target!))
        .filter(target => !existsSync(target))
        .map(target => `${page}: ${target}`),
    )
    expect(broken).toEqual([])
  })
})

describe.each(['Node, npm and basic commands', 'everything that is installed'])('with %s', title => {
  const isBare = title.startsWith('Node')
  const path = () => ({ path: isBare ? made.bare : made.full })
  const rye = (who: Person, ...words: string[]) => made.rye(who, words, path())
  const who = () => made.person(`${isBare ? 'bare' : 'full'}-${Math.random().toString(36).slice(2)}`)

  it('the tour runs by the first command of the README, and names what it left out', async () => {
    const environment = { npm_config_registry: registry.url, npm_config_update_notifier: 'false' }
    // Fetching it is the same with either path, and takes longer than the tour.
    const shown = isBare
      ? await made.type(who(), ['npx', '-y', 'ryekit', 'demo'], { ...path(), environment })
      : await rye(who(), 'demo')
    expect(shown.text).toContain('✓ every step was right')
    expect(shown.status).toBe(0)
    const leftOut = [...shown.text.matchAll(/! left out: (rye execute \S+)/g)].map(found => found[1])
    expect(leftOut).toEqual(isBare ? ['rye execute ops/echo', 'rye execute ops/count'] : [])
    expect(longLines(shown.text)).toEqual([])
  })

  it('a first project works, in a home that did not exist, and every screen fits', async () => {
    const ann = who()
    const init = await rye(ann, 'init', '--client', 'claude')
    expect(init).toMatchObject({ status: 0, text: expect.stringContaining('+ .mcp.json') })
    const { mcpServers } = JSON.parse(readFileSync(join(ann.project, '.mcp.json'), 'utf8'))
    expect(mcpServers.rye).toEqual({
      command: '/bin/sh',
      args: ['-c', 'cd / && exec npx -y ryekit@0 -C "$OLDPWD" "$@"', 'rye', 'mcp'],
    })
    const greeted = await rye(ann, 'execute', 'hello/greet', '--param', 'who=Ada')
    expect(greeted).toMatchObject({ status: 0, text: expect.stringContaining('hello Ada, from greet') })
    const found = await rye(ann, 'search', 'how do I read a file', '--limit', '1')
    expect(found.text).toContain('tool:rye/file-system/read')
    // Something for each screen to show: unsigned items, a skill with faults.
    made.write(ann, '.ai/skills/tea/SKILL.md', `---\nname: coffee\ndescription: ${'tea '.repeat(300)}\n---\n`)
    for (const name of ['a', 'b', 'c', 'd'])
      made.write(ann, `.ai/tools/hello/a-long-name-of-a-tool-${name}.ts`, '// nothing\n')
    const checked = await rye(ann, 'doctor')
    expect(checked.text).toContain('4 tools in hello (project)')
    expect(checked.text).toContain("    rye sign 'tool:hello/*'")
    expect([init, found, checked].flatMap(({ text }) => longLines(text))).toEqual([])
    expect(await rye(ann, 'init', '--quiet')).toEqual({ status: 0, text: '' })
    if (!isBare) return
    const screens = [
      ...[await rye(ann, 'init'), await rye(ann, 'init', '--client', 'emacs')],
      ...[await rye(ann, 'mcp', 'list'), await rye(ann, 'skills', 'list')],
      ...[await rye(ann, 'skills', 'scan', '.ai/skills'), await rye(ann, 'skills', 'validate', '.ai/skills')],
      await rye(ann, 'skills', 'install', 'tea', '--to', 'claude'),
    ]
    expect(screens.flatMap(({ text }) => longLines(text))).toEqual([])
    expect(screens.map(({ status }) => status)).toEqual([0, 2, 0, 0, 0, 1, 1])
  })

  it('what one has is wrapped, changed, moved and removed, and nothing is written twice', async () => {
    const ann = who()
    await rye(ann, 'init', '--no-items', '--client', 'codex')
    const done = async (...words: string[]) => {
      const ran = await rye(ann, ...words)
      expect(ran.status, `${words.join(' ')}: ${ran.text}`).toBe(0)
      expect(longLines(ran.text)).toEqual([])
      return ran.text
    }
    await done('new', 'tool', 'say/times', '--command', 'head -n {n:integer} list.txt')
    await done('sign', 'say/times')
    made.write(ann, 'list.txt', 'a\nb\nc\nd\n')
    expect(await done('run', 'say/times', '--param', 'n=3')).toContain('a\nb\nc')
    made.write(ann, 'server.mjs', SERVER)
    made.write(
      ann,
      'mcp.json',
      JSON.stringify({ mcpServers: { tiny: { command: 'node', args: ['server.mjs'] } } }),
    )
    expect(await done('mcp', 'add', '--from', 'mcp.json')).toContain('tiny')
    await done('sign', 'mcp/servers/tiny')
    await done('sign', 'tool:mcp/tiny/*')
    expect(await done('execute', 'mcp/tiny/ping')).toContain('pong')
    // What starts no program is the same with either path.
    if (!isBare) return
    await done('new', 'tool', 'say/hi', '--param', 'who:string', '--param', 'times?:integer')
    expect(await done('show', 'say/hi')).toMatch(/who[\s\S]*times/)
    const files = () => readdirSync(join(ann.project, '.ai'), { recursive: true, encoding: 'utf8' }).sort()
    await done('sign', 'tool:say/*')
    const times = () => files().map(file => statSync(join(ann.project, '.ai', file)).mtimeMs)
    const before = times()
    await done('sign', 'tool:say/*')
    expect(times()).toEqual(before)
    await done('mv', 'say/times', 'count/times')
    expect(await done('exec', 'count/times', '--param', 'n=1')).toContain('a')
    const text = readFileSync(join(ann.project, '.ai/tools/say/hi.ts'), 'utf8')
    made.write(
      ann,
      'editor.mjs',
      `import { appendFileSync } from 'node:fs'\nappendFileSync(process.argv[2], '// edited\\n')\n`,
    )
    const editor = { EDITOR: `${process.execPath} ${join(ann.project, 'editor.mjs')}` }
    const edited = await made.rye(ann, ['edit', 'say/hi'], { ...path(), environment: editor })
    expect(edited.status, edited.text).toBe(0)
    expect(readFileSync(join(ann.project, '.ai/tools/say/hi.ts'), 'utf8')).not.toBe(text)
    await done('verify', 'say/hi')
    await done('rm', 'say/hi', '--yes')
    expect(files().filter(file => file.includes('hi.'))).toEqual([])
    expect((await rye(ann, 'serach', 'x')).text).toContain('search')
    expect((await rye(ann, 'mcp', '--port', '1')).status).toBe(2)
  })

  it('an agent can use every tool of the package', async () => {
    const ann = who()
    await rye(ann, 'init', '--quiet')
    const settings = `version: "1.0.0"\ncategory: rye\nregistry: ${registry.url}\nallow_private: true\n`
    made.write(ann, '.ai/config/rye/registry.yaml', settings)
    await rye(ann, 'sign', 'config:rye/registry', '--quiet')
    const [command, ...args] = made.as(ann, [process.execPath, made.program, 'mcp'], path())
    const client = new Client({ name: 'agent', version: '1.0.0' })
    await client.connect(
      new StdioClientTransport({ command: command!, args, cwd: ann.project, stderr: 'ignore' }),
    )
    try {
      const called: string[] = []
      for (const [id, [parameters, data]] of Object.entries(calls())) {
        const { structuredContent } = await client.callTool({
          name: 'execute',
          arguments: { item_id: id, parameters },
        })
        expect(structuredContent, id).toMatchObject({ data })
        called.push(id)
      }
      expect(called.sort()).toEqual(toolsOfThePackage())
    } finally {
      await client.close()
    }
  })
})

/** A call of each tool, and what its answer has in it. */
function calls(): Record<string, [Record<string, unknown>, Record<string, unknown>]> {
  const file_path = 'notes.txt'
  const done = { success: true }
  return {
    'rye/bash': [{ command: 'echo "$((6 * 7))"' }, { ...done, stdout: '42\n' }],
    'rye/core/system': [{ what: 'info' }, { ...done, info: { node: process.versions.node } }],
    'rye/file-system/write': [{ file_path, content: 'one\ntwo\n' }, done],
    'rye/file-system/read': [{ file_path }, done],
    'rye/file-system/edit': [{ file_path, old_string: 'two', new_string: 'three' }, done],
    'rye/file-system/glob': [{ pattern: '*.txt' }, done],
    'rye/file-system/grep': [{ pattern: 'thre+' }, done],
    'rye/file-system/ls': [{}, done],
    // Nobody promises a network: the refusal is the tool's own.
    'rye/web/fetch': [
      { url: 'https://127.0.0.1/' },
      { success: false, error: expect.stringContaining('only the public internet is reached') },
    ],
    'rye/mcp/discover': [{ command: process.execPath, args: [made.program, 'mcp'] }, done],
    'rye/mcp/manager': [{ action: 'list' }, { ...done, servers: [] }],
    'rye/registry': [
      { action: 'search', query: 'nothing' },
      { ...done, bundles: [] },
    ],
  }
}

/** Their ids: apart from helpers, and from what only other tools are made of. */
function toolsOfThePackage(): string[] {
  const folder = join(made.program, '../../system/.ai/tools')
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter(
      path => /\.\w+$/.test(path) && !/(^|\/)_|rye\/core\/(?:extractors|primitives|runtimes)\//.test(path),
    )
    .map(path => path.replace(/\.\w+$/, ''))
    .sort()
}

describe('with Node alone', () => {
  it('the settings of a client start what is published, whatever the project holds', async () => {
    const ann = made.person('planted')
    await made.rye(ann, ['init', '--client', 'claude', '--quiet'])
    const planted = `#!/bin/sh\ntouch ${join(ann.project, 'planted')}\n`
    made.write({ ...ann, project: ann.home }, '.npmrc', `registry=${registry.url}\nupdate-notifier=false\n`)
    made.write(ann, '.npmrc', 'script-shell=./evil\nregistry=http://127.0.0.1:1/\n')
    const manifest = '{"name":"ryekit","version":"0.1.0","bin":{"ryekit":"evil","rye":"evil"}}'
    for (const folder of ['', 'node_modules/ryekit/']) made.write(ann, `${folder}package.json`, manifest)
    const files = [
      'evil',
      'node_modules/ryekit/evil',
      ...['sh', 'node', 'rye', 'ryekit'].map(name => `node_modules/.bin/${name}`),
    ]
    for (const file of files) {
      made.write(ann, file, planted)
      chmodSync(join(ann.project, file), 0o755)
    }
    const { mcpServers } = JSON.parse(readFileSync(join(ann.project, '.mcp.json'), 'utf8'))
    const [command, ...args] = made.as(ann, [mcpServers.rye.command, ...mcpServers.rye.args])
    const client = new Client({ name: 'agent', version: '1.0.0' })
    await client.connect(
      new StdioClientTransport({ command: command!, args, cwd: ann.project, stderr: 'ignore' }),
    )
    try {
      // The project is the one where the client stands.
      const { structuredContent } = await client.callTool({
        name: 'execute',
        arguments: { item_id: 'hello/greet' },
      })
      expect(structuredContent).toMatchObject({ status: 'success' })
    } finally {
      await client.close()
    }
    expect(existsSync(join(ann.project, 'planted'))).toBe(false)
  })

  it('a tool in Python says what to install, and so does the doctor', async () => {
    const who = made.person('python')
    await made.rye(who, ['init', '--quiet'])
    await made.rye(who, ['new', 'tool', 'ops/count', '--language', 'python', '--quiet'])
    const refused = await made.rye(who, ['execute', 'ops/count'])
    expect(refused).toMatchObject({ status: 1, text: expect.stringContaining('hint: install `python3`') })
    const checked = await made.rye(who, ['doctor'])
    const text = checked.text.replaceAll(/\n {2}(?! )/g, ' ')
    expect(text).toContain('no python3 on PATH')
    expect(text).toContain('no bash on PATH')
    expect(text).toContain('tools run without a sandbox')
    expect(checked.status).toBe(0)
  })
})

describe('where nothing can be written', () => {
  it('tools of the package run without a home, and it is said what is lost', async () => {
    const who = { ...made.person('homeless'), home: join(made.root, 'nowhere/home') }
    const ran = await made.rye(who, ['execute', 'rye/core/system', '--param', 'what=time'], {
      path: made.full,
    })
    expect(ran.text).toContain('the log of runs is lost when this program ends')
    expect(ran.status).toBe(0)
    // Some service accounts have this as their home.
    const device = { ...who, home: '/dev/null' }
    const answered = await made.rye(device, ['execute', 'rye/core/system', '--quiet'], { path: made.full })
    expect(answered.text).toContain('"success": true')
    const found = await made.rye(who, ['search', 'read a file', '--limit', '1'])
    expect(found.text).toContain('rye/file-system/read')
    const refused = await made.rye(who, ['keys', 'generate'])
    expect(refused).toMatchObject({ status: 1, text: expect.stringContaining('hint: set USER_SPACE') })
    expect(refused.text.replaceAll(/\s+/g, ' ')).toContain(`cannot make the user space \`${who.home}\``)
    const project = await made.rye(who, ['init', '--quiet'])
    expect(project).toMatchObject({ status: 0, text: expect.stringContaining('warning: no first items') })
    const created = await made.rye(who, ['new', 'tool', 'a/b'])
    expect(created).toMatchObject({ status: 0, text: expect.stringContaining('export USER_SPACE=') })
    expect((await made.rye(who, ['sign', 'a/b'])).text.replaceAll(/\s+/g, ' ')).toContain(
      `\`${who.home}\` cannot be written: set USER_SPACE`,
    )
    expect((await made.rye(who, ['doctor'])).text).not.toContain('rye keys generate')
  })

  it('a project that cannot be written is used', async () => {
    const who = made.person('read-only')
    await made.rye(who, ['init', '--quiet'])
    made.write(who, '.mcp.json', '{}')
    chmodSync(join(who.project, '.mcp.json'), 0o444)
    const refused = await made.rye(who, ['init', '--client', 'claude'])
    expect(refused).toMatchObject({ status: 1, text: expect.stringMatching(/is\s+read-only/) })
    expect(readFileSync(join(who.project, '.mcp.json'), 'utf8')).toBe('{}')
    for (const path of ['.ai/tools/hello', '.ai/tools', '.ai', '.']) chmodSync(join(who.project, path), 0o555)
    const greeted = await made.rye(who, ['execute', 'hello/greet'])
    expect(greeted).toMatchObject({ status: 0, text: expect.stringContaining('hello world') })
    expect((await made.rye(who, ['doctor'])).text).toContain('can be used, but not added or signed')
    const kept = await made.rye(who, ['rm', 'hello/greet'])
    expect(kept.status).toBe(1)
    expect(kept.text.replaceAll(/\s+/g, ' ')).toContain('you may not write to `')
    const state = readdirSync(join(who.home, '.ai/state'), { recursive: true, encoding: 'utf8' })
    expect(state.filter(path => path.includes('greet'))).toEqual([])
    for (const path of ['.', '.ai', '.ai/tools', '.ai/tools/hello']) chmodSync(join(who.project, path), 0o755)
  })
})
