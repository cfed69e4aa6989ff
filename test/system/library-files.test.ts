// The bundled tools for one file, each run through `execute`: what they do, and what they refuse.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
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
    for (let pages = 0; pages < 50; pages++) {
      const { data } = await run(`${FILES}/read`, { file_path: 'large.txt', offset, limit: 1_000 })
      text += data!.content
      if (data!.next_offset === undefined) break
      offset = data!.next_offset
    }
    expect(text).toBe(readFileSync(join(session.project, 'large.txt'), 'utf8'))
  })

  it('stops within its bounds on a huge file and says where to go on', async () => {
    const path = session.write('huge.txt', 'x'.repeat(50_000_000))
    const { data } = await run(`${FILES}/read`, { file_path: 'huge.txt' })
    expect(data!.tail).toContain('"size":50000000')
    expect(data!.size).toBeLessThan(30_000)
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
      warning: expect.stringContaining('not valid UTF-8'),
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
