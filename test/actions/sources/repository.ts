// A real repository for one test, and git's own server for it.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface Repository {
  readonly path: string
  readonly url: string
  git(...args: string[]): string
  write(path: string, content: string): void
  /** Returns the commit. */
  commit(files?: Readonly<Record<string, string>>): string
}

let clock = Date.parse('2026-01-01T00:00:00Z') / 1000

export function makeRepository(files: Readonly<Record<string, string>>): Repository {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'rye-repository-')))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  const repository: Repository = {
    path,
    url: `file://${path}`,
    git(...args) {
      const time = `${clock++} +0000`
      const who = [
        '-c',
        'user.name=Eve',
        '-c',
        'user.email=eve@example.org',
        '-c',
        'protocol.file.allow=always',
      ]
      const env = { PATH: process.env.PATH, HOME: path, GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time }
      return execFileSync('git', [...who, ...args], {
        cwd: path,
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      }).trim()
    },
    write(name, content) {
      mkdirSync(dirname(join(path, name)), { recursive: true })
      writeFileSync(join(path, name), content)
    },
    commit(more = {}) {
      for (const [name, content] of Object.entries(more)) repository.write(name, content)
      repository.git('add', '--all')
      repository.git('commit', '--quiet', '--allow-empty', '-m', 'change')
      return repository.git('rev-parse', 'HEAD')
    },
  }
  repository.git('init', '--quiet', '-b', 'main')
  repository.commit(files)
  return repository
}

/** Serves a repository over http, as `git http-backend` does behind any web server. */
export async function serve({ path }: Repository): Promise<string> {
  const server = createServer((request, response) => {
    const [pathname = '', query = ''] = request.url!.split('?')
    const backend = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: path,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: pathname.replace('/repository.git', '/.git'),
        QUERY_STRING: query,
        REQUEST_METHOD: request.method!,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''),
        REMOTE_ADDR: '127.0.0.1',
      },
    })
    request.pipe(backend.stdin)
    const chunks: Buffer[] = []
    backend.stdout.on('data', chunk => chunks.push(chunk))
    backend.on('close', () => {
      const whole = Buffer.concat(chunks)
      const end = whole.indexOf('\r\n\r\n')
      const headers = whole
        .toString('latin1', 0, end)
        .split('\r\n')
        .map(line => line.split(': ', 2) as [string, string])
      const status = headers.find(([name]) => name === 'Status')?.[1]
      response.writeHead(
        status ? Number.parseInt(status, 10) : 200,
        Object.fromEntries(headers.filter(([name]) => name !== 'Status')),
      )
      response.end(whole.subarray(end + 4))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>(resolve => void server.close(() => resolve())))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/repository.git`
}
