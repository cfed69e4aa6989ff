// A real npm registry for tests: verdaccio, installed once into .cache/ from its own lock file, one process
// per caller.
import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { acquireMutex } from '../../src/files/file-mutex.ts'
import { until } from '../fixtures/patience.ts'
import { fetchEnvironment } from '../fixtures/run-variables.ts'

const FIXTURE = fileURLToPath(new URL('../fixtures/verdaccio', import.meta.url))
const INSTALLED = fileURLToPath(new URL('../../.cache/verdaccio', import.meta.url))

export interface NpmRegistry {
  readonly url: string
  /** The token of a user who may publish. */
  readonly token: string
  stop(): Promise<void>
}

/** Starts a registry without uplinks. Anybody may read; whoever has a token may publish. */
export async function startRegistry(folder: string): Promise<NpmRegistry> {
  const program = await install()
  mkdirSync(folder, { recursive: true })
  const config = join(folder, 'config.yaml')
  writeFileSync(config, CONFIG)
  for (;;) {
    const url = `http://127.0.0.1:${await freePort()}/`
    const child = spawn(process.execPath, [program, '--config', config, '--listen', url.slice(0, -1)], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    let isOver = false
    const ended = new Promise<void>(resolve => {
      child.once('close', () => {
        isOver = true
        resolve()
      })
    })
    await until(async () => isOver || (await answers(new URL('-/ping', url))))
    // Another process took the port after we found it free.
    if (isOver) continue
    return {
      url,
      token: await addUser(url),
      async stop() {
        child.kill()
        await ended
      },
    }
  }
}

async function addUser(url: string): Promise<string> {
  const answer = await fetch(new URL('-/user/org.couchdb.user:ann', url), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'ann', password: 'a word of ann' }),
  })
  const { token } = (await answer.json()) as { token: string }
  return token
}

const CONFIG = `
storage: ./storage
auth: { htpasswd: { file: ./htpasswd, rounds: 4 } }
security: { api: { jwt: { sign: { expiresIn: 1h } } } }
uplinks: {}
max_body_size: 100mb
packages: { '**': { access: $all, publish: $authenticated } }
log: { type: stdout, format: json, level: error }
`

/** Several test files may install it at once. */
async function install(): Promise<string> {
  const lock = await acquireMutex(`${INSTALLED}.lock`, { waitMs: 170_000, holdMs: 600_000 })
  try {
    return await installOnce()
  } finally {
    lock.release()
  }
}

async function installOnce(): Promise<string> {
  const program = join(INSTALLED, 'node_modules/verdaccio/bin/verdaccio')
  const lock = readFileSync(join(FIXTURE, 'package-lock.json'), 'utf8')
  const stamp = join(INSTALLED, 'node_modules/.installed')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return program
  rmSync(INSTALLED, { recursive: true, force: true })
  mkdirSync(INSTALLED, { recursive: true })
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(FIXTURE, file), join(INSTALLED, file))
  const options = { cwd: INSTALLED, env: fetchEnvironment() }
  const npm = spawn('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], options)
  const [log] = await Promise.all([text(npm.stderr), text(npm.stdout)])
  if (!existsSync(program)) throw new Error(`verdaccio could not be installed: ${log}`)
  writeFileSync(stamp, lock)
  return program
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

async function answers(url: URL): Promise<boolean> {
  const answer = await fetch(url).catch(() => undefined)
  return answer?.ok ?? false
}

/** The settings of a project whose registry is at this address. */
export function registrySettings(url: string): string {
  return `version: "1.0.0"\ncategory: rye\nregistry: ${url}\nallow_private: true\n`
}
