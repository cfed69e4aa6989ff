// The built command as a real process, in a project and a user space of its own.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const PROGRAM = fileURLToPath(new URL('../../dist/rye.cjs', import.meta.url))

export interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  // biome-ignore lint/suspicious/noExplicitAny: each test checks the members that it reads
  json(): any
}

export interface Place {
  readonly root: string
  readonly project: string
  readonly user: string
  readonly environment: Record<string, string>
  rye(words: readonly string[], options?: { input?: string; env?: Record<string, string> }): Promise<Ran>
  run(
    command: string,
    words: readonly string[],
    options?: { input?: string; env?: Record<string, string> },
  ): Promise<Ran>
  remove(): void
}

export function makePlace(): Place {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'rye-cli-'))
  const [project, user] = [join(root, 'project'), join(root, 'user')]
  for (const folder of [project, user]) mkdirSync(folder)
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: user,
    USER_SPACE: user,
    XDG_CACHE_HOME: join(root, 'cache'),
  }
  const place: Place = {
    root,
    project,
    user,
    environment,
    rye: (words, options) => place.run(process.execPath, [PROGRAM, ...words], options),
    run: (command, words, options = {}) =>
      new Promise((resolve, reject) => {
        const child = spawn(command, words, {
          cwd: project,
          env: { ...environment, ...options.env },
          stdio: ['pipe', 'pipe', 'pipe'],
        })
        let [stdout, stderr] = ['', '']
        child.stdout.on('data', chunk => {
          stdout += chunk
        })
        child.stderr.on('data', chunk => {
          stderr += chunk
        })
        child.stdin.on('error', () => {}) // it may not read its input
        child.stdin.end(options.input ?? '')
        child.on('error', reject)
        child.on('close', status => resolve({ status, stdout, stderr, json: () => JSON.parse(stdout) }))
      }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
  return place
}
