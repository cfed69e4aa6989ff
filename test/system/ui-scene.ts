// A signed project, the built `rye ui` over it as a real process, and a real browser, shared by the tests of
// a file.
import { type ChildProcess, spawn } from 'node:child_process'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { type LibrarySession, openSession } from '../fixtures/library-session.ts'
import { PATIENCE_MS } from '../fixtures/patience.ts'
import { PROGRAM } from './run-rye.ts'

export interface UiServer {
  /** Includes the token. */
  readonly address: string
  readonly origin: string
  stop(): Promise<void>
}

export interface UiScene {
  readonly session: LibrarySession
  readonly server: UiServer
  readonly browser: Browser
  /** A window that has been let in. `elsewhere` lists its requests to other origins. */
  readonly page: Page
  readonly elsewhere: string[]
  startServer(flags?: readonly string[]): Promise<UiServer>
  /** A separate browser context, without the cookie of the others. */
  newContext(): Promise<BrowserContext>
  close(): Promise<void>
}

const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
  '--host-resolver-rules=MAP rebound.example 127.0.0.1',
]

/** Opens a scene for the tests of one file: before the first, closed after the last. */
export function useScene<Scene extends UiScene>(open: () => Promise<Scene>): () => Scene {
  let scene: Scene | undefined
  beforeAll(async () => {
    scene = await open()
  }, 180_000)
  afterAll(() => scene?.close())
  return () => {
    if (!scene) throw new Error('a scene is there in tests alone')
    return scene
  }
}

/** `prepare` writes and signs the project's items. */
export async function openUiScene(
  prepare: (session: LibrarySession) => Promise<void>,
  environment: Readonly<Record<string, string>> = {},
): Promise<UiScene> {
  const session = await openSession({ signing: true, environment })
  await prepare(session)
  const servers: UiServer[] = []
  const startServer = async (flags: readonly string[] = []) => {
    const server = await startUi(session, flags)
    servers.push(server)
    return server
  }
  const [server, browser] = await Promise.all([
    startServer(),
    chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS }),
  ])
  const newContext = async () => {
    const context = await browser.newContext({
      viewport: { width: 1200, height: 900 },
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(PATIENCE_MS)
    return context
  }
  const page = await (await newContext()).newPage()
  const elsewhere: string[] = []
  page.on('request', request => {
    if (!request.url().startsWith(`${server.origin}/`)) elsewhere.push(request.url())
  })
  await page.goto(server.address)
  return {
    session,
    server,
    browser,
    page,
    elsewhere,
    startServer,
    newContext,
    async close() {
      await browser.close()
      await Promise.all(servers.map(one => one.stop()))
      await session.close()
    },
  }
}

async function startUi(
  { project, environment }: LibrarySession,
  flags: readonly string[],
): Promise<UiServer> {
  const child = spawn(process.execPath, [PROGRAM, 'ui', '--no-open', ...flags], {
    cwd: project,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const address = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', chunk => {
      text += chunk
      const found = /^listening: (http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+)\n/m.exec(text)?.[1]
      if (found) resolve(found)
    })
    child.once('exit', status => reject(new Error(`rye ui ended with ${status}: ${text}`)))
  })
  return { address, origin: new URL(address).origin, stop: () => stop(child) }
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise(resolve => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

/** A guide, as a knowledge item. */
export const note = (id: string, body: string) => `---
id: ${id}
title: ${id}
version: "1.0.0"
entry_type: guide
category: notes
---

${body}
`
