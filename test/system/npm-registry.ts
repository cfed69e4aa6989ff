// A real npm registry for tests: verdaccio, installed once into .cache/ from its own lock file, one process for each caller.
import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const FIXTURE = fileURLToPath(new URL('../fixtures/verdaccio', import.meta.url))
const INSTALLED = fileURLToPath(new URL('../../.cache/verdaccio', import.meta.url))

export interface NpmRegistry {
  readonly url: string
  /** Of a user who may publish. */
  readonly token: string
  stop(): Promise<void>
}

/** Starts a registry without uplinks: whoever is not known may read, whoever has a token may publish. */
export async function startRegistry(folder: string): Promise<NpmRegistry> {
  const program = await install()
  const url = `http://127.0.0.1:${await freePort()}/`
  mkdirSync(folder, { recursive: true })
  const config = join(folder, 'config.yaml')
  writeFileSync(config, CONFIG)
  const child = spawn(process.execPath, [program, '--config', config, '--listen', url.slice(0, -1)], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  await untilAnswers(new URL('-/ping', url))
  const answer = await fetch(new URL('-/user/org.couchdb.user:ann', url), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'ann', password: 'a word of ann' }),
  })
  const { token } = (await answer.json()) as { token: string }
  return {
    url,
    token,
    async stop() {
      child.kill()
      await ended
    },
  }
}

const CONFIG = `
storage: ./storage
auth: { htpasswd: { file: ./htpasswd, rounds: 4 } }
security: { api: { jwt: { sign: { expiresIn: 1h } } } }
uplinks: {}
packages: { '**': { access: $all, publish: $authenticated } }
log: { type: stdout, format: json, level: error }
`

async function install(): Promise<string> {
  const program = join(INSTALLED, 'node_modules/verdaccio/bin/verdaccio')
  const lock = readFileSync(join(FIXTURE, 'package-lock.json'), 'utf8')
  const stamp = join(INSTALLED, 'node_modules/.installed')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return program
  rmSync(INSTALLED, { recursive: true, force: true })
  mkdirSync(INSTALLED, { recursive: true })
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(FIXTURE, file), join(INSTALLED, file))
  const npm = spawn('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: INSTALLED })
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

async function untilAnswers(url: URL): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    await wait(100)
  }
  throw new Error(`${url} does not answer`)
}
