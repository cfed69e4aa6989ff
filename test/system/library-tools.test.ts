// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts that must not be expanded are what is tested
// The bundled tools, each run through `execute`: what they do, and what they refuse.
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LibrarySession, openSession } from '../fixtures/library-session.ts'

const FILES = 'rye/file-system'
let session: LibrarySession

beforeAll(async () => {
  session = await openSession()
  writeFileSync(join(session.outside, 'secret.txt'), 'secret\n')
  symlinkSync(session.outside, join(session.project, 'way-out'))
  symlinkSync(join(session.outside, 'secret.txt'), join(session.project, 'file-out'))
  symlinkSync(join(session.outside, 'not-yet'), join(session.project, 'dangling'))
})
afterAll(() => session.close())

const run = (tool: string, parameters?: Record<string, unknown>) => session.execute(tool, parameters)

describe('every tool that takes a path', () => {
  const escapes = [
    '../outside/secret.txt',
    'a/../../outside/secret.txt',
    'way-out/secret.txt',
    'file-out',
    '/etc/passwd',
    '..',
  ]
  const calls: [string, (path: string) => Record<string, unknown>][] = [
    ['read', path => ({ file_path: path })],
    ['write', path => ({ file_path: path, content: 'x' })],
    ['edit', path => ({ file_path: path, old_string: 'secret', new_string: 'x' })],
    ['ls', path => ({ path })],
    ['glob', path => ({ path, pattern: '*' })],
    ['grep', path => ({ path, pattern: 'secret' })],
  ]
  it.each(calls)('%s refuses to leave the project', async (tool, parameters) => {
    for (const path of escapes) {
      expect(await run(`${FILES}/${tool}`, parameters(path)), path).toMatchObject({
        status: 'error',
        data: { success: false, error: expect.stringContaining('leads out of the project') },
      })
    }
    expect(readFileSync(join(session.outside, 'secret.txt'), 'utf8')).toBe('secret\n')
  })

  it.each(calls)('%s refuses a NUL character and names that are no text', async (tool, parameters) => {
    expect(await run(`${FILES}/${tool}`, parameters('a\0b'))).toMatchObject({ status: 'error' })
    expect(await run(`${FILES}/${tool}`, parameters('\ud800'))).toMatchObject({ status: 'error' })
  })

  it.each(calls)('%s never shows or writes signing keys', async (tool, parameters) => {
    session.write('.ai/config/keys/private.pem', 'key material')
    const answer = await run(`${FILES}/${tool}`, parameters('.ai/config/keys/private.pem'))
    expect(JSON.stringify(answer.data)).not.toContain('key material')
    expect(answer.status).toBe('error')
  })

  it.each(calls)('%s validates its parameters before it starts', async tool => {
    expect(await run(`${FILES}/${tool}`, { nonsense: 1 })).toMatchObject({
      status: 'error',
      code: 'PARAMETERS_INVALID',
    })
  })

  it('shares the same lines for staying inside, so that each can be copied alone', () => {
    const folder = 'system/.ai/tools/rye/file-system'
    const blocks = new Map<string, Set<string>>()
    for (const file of readdirSync(folder)) {
      const text = readFileSync(join(folder, file), 'utf8')
      for (const [block, title] of text.matchAll(/^# --- (\w[\w ]*):[\s\S]*?^# --- end ---$/gm)) {
        blocks.set(title!, (blocks.get(title!) ?? new Set()).add(block))
      }
    }
    expect([...blocks].map(([title, texts]) => [title, texts.size]).sort()).toEqual([
      ['inside the project', 1],
      ['walking', 1],
      ['writing', 1],
    ])
  })
})

describe('rye/file-system/read', () => {
  it('answers with the content as it stands', async () => {
    session.write('docs/a.txt', 'one\r\ntwo\n\nfour')
    expect(await run(`${FILES}/read`, { file_path: 'docs/a.txt' })).toMatchObject({
      status: 'success',
      data: { file_path: 'docs/a.txt', content: 'one\r\ntwo\n\nfour', first_line: 1, lines: 4, size: 14 },
    })
  })

  it('pages through a large file', async () => {
    session.write('large.txt', Array.from({ length: 30_000 }, (_, n) => `line ${n + 1}\n`).join(''))
    let offset = 1
    let text = ''
    for (let pages = 0; pages < 10; pages++) {
      const { data } = await run(`${FILES}/read`, { file_path: 'large.txt', offset, limit: 9_000 })
      text += data!.content
      if (data!.next_offset === undefined) break
      offset = data!.next_offset
    }
    expect(text).toBe(readFileSync(join(session.project, 'large.txt'), 'utf8'))
  })

  it('stops within its bounds on a huge file and says where to go on', async () => {
    const path = session.write('huge.txt', 'x'.repeat(50_000_000))
    const { data } = await run(`${FILES}/read`, { file_path: 'huge.txt' })
    expect(data).toMatchObject({ lines: 1, cut_lines: [1], size: 50_000_000 })
    expect(data!.content.length).toBeLessThan(30_000)
    truncateSync(path, 0)
  })

  it('refuses a binary file, a folder and a pipe, and does not hang', async () => {
    session.write('image.bin', new Uint8Array([137, 80, 0, 1]))
    execFileSync('mkfifo', [join(session.project, 'pipe')])
    for (const [file_path, error] of [
      ['image.bin', 'binary file'],
      ['docs', 'is not a file'],
      ['pipe', 'is not a file'],
      ['.', 'is not a file'],
    ]) {
      expect((await run(`${FILES}/read`, { file_path })).error, file_path).toContain(error)
    }
  })

  it('shows bytes that are no text, and says so', async () => {
    session.write('latin1.txt', new Uint8Array([0x63, 0x61, 0x66, 0xe9, 0x0a]))
    expect((await run(`${FILES}/read`, { file_path: 'latin1.txt' })).data).toMatchObject({
      content: 'caf\ufffd\n',
      warning: expect.stringContaining('not UTF-8'),
    })
  })

  it('suggests a name for one that is misspelled', async () => {
    session.write('docs/readme.md', '')
    expect((await run(`${FILES}/read`, { file_path: 'docs/raedme.md' })).data).toMatchObject({
      success: false,
      did_you_mean: ['docs/readme.md'],
    })
  })

  it('answers an offset past the end with the last line there is', async () => {
    session.write('short.txt', 'a\nb\n')
    const { error } = await run(`${FILES}/read`, { file_path: 'short.txt', offset: 9 })
    expect(error).toContain('at most 2')
  })
})

describe('rye/file-system/write', () => {
  it('creates a file with its folders, and overwrites it whole', async () => {
    const first = await run(`${FILES}/write`, { file_path: 'new/deep/a.txt', content: 'é\n' })
    expect(first.data).toMatchObject({ file_path: 'new/deep/a.txt', bytes_written: 3, created: true })
    chmodSync(join(session.project, 'new/deep/a.txt'), 0o755)
    const second = await run(`${FILES}/write`, { file_path: 'new/deep/a.txt', content: '' })
    expect(second.data).toMatchObject({ bytes_written: 0, created: false })
    expect(statSync(join(session.project, 'new/deep/a.txt')).mode & 0o777).toBe(0o755)
    expect(readdirSync(join(session.project, 'new/deep'))).toEqual(['a.txt'])
  })

  it('refuses to overwrite when asked to', async () => {
    session.write('kept.txt', 'old')
    const answer = await run(`${FILES}/write`, { file_path: 'kept.txt', content: 'new', overwrite: false })
    expect(answer.error).toContain('exists already')
    expect(readFileSync(join(session.project, 'kept.txt'), 'utf8')).toBe('old')
  })

  it('does not write through a dangling link, nor where git, keys and receipts are kept', async () => {
    mkdirSync(join(session.project, '.git/hooks'), { recursive: true })
    session.write('module/.git', 'gitdir: x')
    const refused = [
      'dangling',
      '.git/hooks/pre-commit',
      '.GIT/hooks/pre-commit',
      '.git/config',
      'module/.git',
      '.ai/config/trust.toml',
      '.ai/state/runs.jsonl',
      'docs',
      'docs/',
      '.',
    ]
    for (const file_path of refused) {
      const { error } = await run(`${FILES}/write`, { file_path, content: 'x' })
      // Said by the tool itself, not by the sandbox: it holds where there is none.
      expect(error, file_path).toMatch(/leads out|is not written by tools|is not a file|the folder/)
    }
    expect(existsSync(join(session.outside, 'not-yet'))).toBe(false)
    expect((await run(`${FILES}/write`, { file_path: '.gitignore', content: 'x' })).status).toBe('success')
  })

  it('refuses content that is no text', async () => {
    expect((await run(`${FILES}/write`, { file_path: 'a.txt', content: '\ud800' })).error).toContain(
      'surrogate',
    )
  })
})

describe('rye/file-system/edit', () => {
  const edit = (old_string: string, new_string: string, more = {}) =>
    run(`${FILES}/edit`, { file_path: 'code.py', old_string, new_string, ...more })

  it('replaces an exact piece of text that occurs once', async () => {
    session.write('code.py', 'def a():\n    return 1\n\ndef b():\n    return 2\n')
    expect((await edit('return 1', 'return 10')).data).toMatchObject({
      replacements: 1,
      first_line: 1,
      excerpt: 'def a():\n    return 10\n\ndef b():\n',
    })
    expect(readFileSync(join(session.project, 'code.py'), 'utf8')).toContain('return 10\n')
  })

  it('names the lines when the text occurs more than once, and replaces all when asked', async () => {
    session.write('code.py', 'x = 1\ny = 1\n')
    expect((await edit(' = 1', ' = 2')).error).toContain('occurs 2 times, at lines 1, 2')
    expect((await edit(' = 1', ' = 2', { replace_all: true })).data).toMatchObject({ replacements: 2 })
    expect(readFileSync(join(session.project, 'code.py'), 'utf8')).toBe('x = 2\ny = 2\n')
  })

  it('says where the text nearly is', async () => {
    session.write('code.py', 'if ready:\n\tstart_engine(now)\n')
    expect((await edit('if ready:\n    start_engine(now)', 'x')).error).toContain('with other blanks')
    expect((await edit('start_engine(know)', 'x')).error).toContain('line 2 is much like its first line')
    expect((await edit('something else entirely', 'x')).error).toContain('read the file again')
    expect((await edit('ready', 'ready')).error).toContain('nothing would change')
  })

  it('keeps line ends and bytes that are no text', async () => {
    session.write('code.py', Buffer.from('a\r\nb\r\n\xe9\r\n', 'latin1'))
    expect((await edit('a\nb', 'a\nc')).status).toBe('success')
    expect(readFileSync(join(session.project, 'code.py'))).toEqual(
      Buffer.from('a\r\nc\r\n\xe9\r\n', 'latin1'),
    )
  })
})

describe('rye/file-system/ls, glob and grep', () => {
  beforeAll(() => {
    for (const path of ['src/a.ts', 'src/deep/b.tsx', 'src/deep/c.md', 'node_modules/x/d.ts']) {
      session.write(path, `// ${path}\nexport const needle = 1\n`)
    }
    session.write('src/image.png', new Uint8Array([0, 1, 2]))
    session.write('src/odd.txt', new Uint8Array([0xff, 0x6e, 0x65, 0x65, 0x64, 0x6c, 0x65]))
  })

  it('lists folders first, links named and not followed', async () => {
    const { data } = await run(`${FILES}/ls`, { path: 'src' })
    expect(
      data!.entries.map((entry: { kind: string; name: string }) => `${entry.kind} ${entry.name}`),
    ).toEqual(['folder deep', 'file a.ts', 'file image.png', 'file odd.txt'])
    const top = (await run(`${FILES}/ls`, { hidden: false, limit: 2 })).data!
    expect(top).toMatchObject({ path: '.', next_offset: 2 })
    const all = (await run(`${FILES}/ls`)).data!
    expect(all.entries).toContainEqual({ name: 'way-out', kind: 'link' })
    expect((await run(`${FILES}/ls`, { path: 'src/a.ts' })).error).toContain('is not a folder')
  })

  it('finds files by pattern', async () => {
    const files = async (pattern: string, more = {}) =>
      (await run(`${FILES}/glob`, { pattern, ...more })).data!.files
    expect(await files('src/**/*.{ts,tsx}')).toEqual(['src/a.ts', 'src/deep/b.tsx'])
    expect(await files('*.md', { path: 'src' })).toEqual(['src/deep/c.md'])
    expect(await files('src/*')).toEqual(['src/a.ts', 'src/image.png', 'src/odd.txt'])
    expect(await files('**/d.ts')).toEqual([])
    expect(await files('secret.txt')).toEqual([])
    expect(await files('**/**/**/**/*.tsx')).toEqual(['src/deep/b.tsx'])
    expect((await run(`${FILES}/glob`, { pattern: '*', limit: 1 })).data).toMatchObject({ truncated: true })
    expect((await run(`${FILES}/glob`, { pattern: '{a,b}'.repeat(7) })).error).toContain('64 patterns')
  })

  it('finds text in files, not in binary ones, links or installed packages', async () => {
    const { data } = await run(`${FILES}/grep`, { pattern: 'needle', context: 1 })
    expect(
      data!.matches.map((match: { file: string; line: number }) => `${match.file}:${match.line}`),
    ).toEqual(['src/a.ts:2', 'src/odd.txt:1', 'src/deep/b.tsx:2', 'src/deep/c.md:2'])
    expect(data!.matches[0]).toMatchObject({
      text: 'export const needle = 1',
      before: ['// src/a.ts'],
      after: [],
    })
    const grep = async (parameters: object) => (await run(`${FILES}/grep`, { ...parameters })).data!
    expect(
      (await grep({ pattern: 'NEEDLE', ignore_case: true, glob: '*.ts', files_only: true })).files,
    ).toEqual(['src/a.ts'])
    expect((await grep({ pattern: '// src/a.ts', literal: true, path: 'src/a.ts' })).count).toBe(1)
    expect((await grep({ pattern: 'needle', limit: 2 })).truncated).toBe(true)
    expect((await run(`${FILES}/grep`, { pattern: '(' })).error).toContain('no regular expression')
    expect((await grep({ pattern: 'secret' })).count).toBe(0)
  })

  it('bounds a pattern that would never end, and goes on working', async () => {
    session.write('src/slow.txt', `${'a'.repeat(40)}!`)
    const input = {
      item_id: `${FILES}/grep`,
      parameters: { pattern: '(a+)+$', path: 'src/slow.txt' },
      timeout: 1,
    }
    expect(await session.call('execute', input)).toMatchObject({ status: 'error', code: 'EXECUTION_TIMEOUT' })
    expect((await run(`${FILES}/grep`, { pattern: 'needle' })).status).toBe('success')
  })
})

describe('rye/bash', () => {
  it('runs a command in the project and answers with its output', async () => {
    expect(await run('rye/bash', { command: 'echo "$PWD"; echo warn >&2' })).toMatchObject({
      status: 'success',
      data: { stdout: `${session.project}\n`, stderr: 'warn\n', exit_code: 0 },
    })
    const inner = await run('rye/bash', { command: 'pwd', working_dir: 'src' })
    expect(inner.data!.stdout).toBe(`${session.project}/src\n`)
  })

  it('reports a status other than 0 with the evidence', async () => {
    expect(await run('rye/bash', { command: 'echo out; echo no >&2; exit 3' })).toMatchObject({
      status: 'error',
      error: 'the command ended with exit status 3: no',
      data: { stdout: 'out\n', stderr: 'no\n', exit_code: 3 },
    })
  })

  it('ends a command that takes too long, with what it printed', async () => {
    expect(await run('rye/bash', { command: 'echo before; sleep 60', timeout: 0.5 })).toMatchObject({
      status: 'error',
      error: expect.stringContaining('longer than 0.5 s'),
      data: { stdout: 'before\n', exit_code: null },
    })
  })

  it('leaves nothing running', async () => {
    const { data } = await run('rye/bash', { command: 'sleep 301.5 & sleep 301.5 & echo started' })
    expect(data!.stdout).toBe('started\n')
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain('sleep 301.5')
  })

  it('keeps the beginning and the end of long output, and ends a flood', async () => {
    const { data } = await run('rye/bash', { command: 'seq 1 100000' })
    expect(data!.truncated).toBe(true)
    expect(data!.stdout.startsWith('1\n2\n')).toBe(true)
    expect(data!.stdout.endsWith('99999\n100000\n')).toBe(true)
    expect(data!.stdout).toMatch(/\[\.\.\. \d+ bytes left out \.\.\.\]/)
    expect((await run('rye/bash', { command: 'yes', timeout: 60 })).error).toContain('wrote more than')
  })

  it('stays in the project, takes odd text as it is, and reads nothing from its caller', async () => {
    for (const working_dir of ['..', 'way-out', '/etc', 'src/a.ts', 'no-such-folder']) {
      expect((await run('rye/bash', { command: 'pwd', working_dir })).error).toContain('inside the project')
    }
    const odd = await run('rye/bash', { command: "printf '%s' '${HOME} {project_path} $(id)'; cat" })
    expect(odd.data!.stdout).toBe('${HOME} {project_path} $(id)')
    expect((await run('rye/bash', { command: "printf '\\xff'" })).data!.stdout).toBe('\ufffd')
    expect((await run('rye/bash', { command: `: ${'x'.repeat(90_000)}; echo long` })).data!.stdout).toBe(
      'long\n',
    )
    for (const command of ['a\0b', `: ${'\u00e9'.repeat(99_000)}`]) {
      expect((await run('rye/bash', { command })).error).toContain('could not be started')
    }
    expect((await run('rye/bash', { command: 'x'.repeat(100_001) })).code).toBe('PARAMETERS_INVALID')
  })
})

describe('rye/core/system', () => {
  it('tells time, machine and places', async () => {
    const { data } = await run('rye/core/system')
    expect(Object.keys(data!)).toEqual(['success', 'info', 'time', 'paths'])
    expect(Math.abs(Date.parse(data!.time.utc) - Date.now())).toBeLessThan(60_000)
    expect(data!.paths).toMatchObject({ project: session.project, items: join(session.project, '.ai') })
    expect(Object.keys((await run('rye/core/system', { what: 'time' })).data!)).toEqual(['success', 'time'])
    expect((await run('rye/core/system', { what: 'other' })).code).toBe('PARAMETERS_INVALID')
  })
})

describe('a copy of a bundled tool', () => {
  it('runs alone in the project, and shadows the one of the system', async () => {
    for (const [id, parameters] of [
      [`${FILES}/grep`, { pattern: 'needle' }],
      ['rye/bash', { command: 'true' }],
      ['rye/core/system', {}],
    ] as const) {
      expect(
        (await session.call('load', { item_id: `tool:${id}@system`, destination: 'project' })).copied_to,
      ).toBe('project')
      const answer = await run(id, parameters)
      expect(answer).toMatchObject({ status: 'success', chain: [{ item_id: id, space: 'project' }, {}, {}] })
      unlinkSync(join(session.project, `.ai/tools/${id}.py`))
    }
  })
})

describe('rye/web/fetch', () => {
  it('turns a page into text, follows checked redirects, and stays within its bounds', async () => {
    const server = createServer((request, response) => {
      const send = (type: string, body: string | Buffer, headers = {}) =>
        response.writeHead(200, { 'content-type': type, ...headers }).end(body)
      const pages: Record<string, () => unknown> = {
        '/page': () =>
          send(
            'text/html; charset=iso-8859-1',
            Buffer.from(
              '<head><title>A &amp; B</title><style>x{}</style></head><body><h1>Caf\xe9</h1><p>See <a href="/x">this</a>.<script>bad()</script><ul><li>one<li>two</ul>',
              'latin1',
            ),
          ),
        '/moved': () => response.writeHead(302, { location: '/page' }).end(),
        '/inward': () => response.writeHead(302, { location: 'https://127.0.0.1/secret' }).end(),
        '/loop': () => response.writeHead(302, { location: '/loop' }).end(),
        '/bomb': () =>
          send('text/plain', gzipSync(Buffer.alloc(50_000_000, 'a')), { 'content-encoding': 'gzip' }),
        '/binary': () => send('image/png', Buffer.from([1, 0, 2])),
        '/missing': () => response.writeHead(404, { 'content-type': 'text/plain' }).end('nothing here'),
        '/json': () => send('application/json', '{"a": 1}'),
        '/silent': () => {},
      }
      pages[request.url!]?.()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    // The tool's own rules refuse a local server, so its name alone is let through here; redirects meet the real rules.
    const program = `
import http.client, json, sys
import fetch
real = fetch.dial
def dial(url, deadline):
    if url.startswith("https://site.test/"):
        return http.client.HTTPConnection("127.0.0.1", ${port}, timeout=fetch.remaining(deadline))
    return real(url, deadline)
fetch.dial = dial
print(json.dumps([fetch.execute(params, ".") for params in json.load(sys.stdin)]))
`
    const at = (path: string, more = {}) => ({ url: `https://site.test${path}`, ...more })
    const calls = [
      at('/page'),
      at('/moved', { limit: 5 }),
      at('/inward'),
      at('/loop'),
      at('/bomb'),
      at('/binary'),
      at('/missing'),
      at('/json'),
      at('/silent', { timeout: 0.3 }),
    ]
    const child = spawn('python3', ['-c', program], {
      cwd: 'system/.ai/tools/rye/web',
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    })
    child.stdin.end(JSON.stringify(calls))
    const [page, moved, inward, loop, bomb, binary, missing, json, silent] = JSON.parse(
      await text(child.stdout),
    )
    server.closeAllConnections()
    server.close()
    expect(page).toMatchObject({
      success: true,
      status: 200,
      title: 'A & B',
      text: '# Café\n\nSee this (https://site.test/x).\n\n- one\n- two',
    })
    expect(moved).toMatchObject({ url: 'https://site.test/page', text: '# Caf', next_offset: 5 })
    expect(inward.error).toContain('private address 127.0.0.1')
    expect(loop.error).toContain('more than 5 redirects')
    expect(bomb).toMatchObject({ length: 2_000_000, warning: expect.stringContaining('2000000 bytes') })
    expect(binary.error).toContain('binary content of type image/png')
    expect(missing).toMatchObject({ success: false, error: 'site.test answered 404', text: 'nothing here' })
    expect(json).toMatchObject({ success: true, content_type: 'application/json', text: '{"a": 1}' })
    expect(silent.success).toBe(false)
  })

  it('keeps to the same addresses as the MCP tools and the HTTP runtime', async () => {
    const files = ['web/fetch.py', 'mcp/_client.py'].map(path =>
      readFileSync(`system/.ai/tools/rye/${path}`, 'utf8'),
    )
    const blocks = files.map(file => /^# --- addresses[\s\S]*?^# --- end ---$/m.exec(file)![0])
    expect(blocks[0]).toBe(blocks[1])
    const guard = readFileSync('src/execute/address-guard.ts', 'utf8')
    const listed = [...guard.matchAll(/\['([\da-f.:]+)', (\d+)\]/g)].map(
      ([, network, bits]) => `${network}/${bits}`,
    )
    expect(/text in \(([\s\S]*?)\)\.split/.exec(blocks[0]!)![1]!.match(/[\da-f.:]+\/\d+/g)).toEqual(listed)
  })

  it('refuses whatever is not the public web over https', async () => {
    const refused = [
      'http://example.org/',
      'ftp://example.org/',
      'file:///etc/passwd',
      'https://127.0.0.1/',
      'https://localhost:8443/',
      'https://[::1]/',
      'https://2130706433/',
      'https://169.254.169.254/latest/meta-data/',
      'https://user:pass@example.org/',
      'https://example.org\\@127.0.0.1/',
      'https://exam ple.org/',
      'https://example.org\n/',
      'not a url',
    ]
    for (const url of refused) {
      expect(await run('rye/web/fetch', { url }), url).toMatchObject({
        status: 'error',
        data: { success: false },
      })
    }
  })
})
