// The two sides of the comparison, each behind one official client: `rye mcp`, and five servers from npm.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { countCall } from './answers-count.mjs'

/**
 * Name to package, exact version and file to start. The fifth server runs commands: with a shell the five can
 * do every task, and its listing is short, which favours them.
 */
export const SERVERS = {
  filesystem: ['@modelcontextprotocol/server-filesystem', '2026.8.31', 'dist/index.js'],
  memory: ['@modelcontextprotocol/server-memory', '2026.8.31', 'dist/index.js'],
  everything: ['@modelcontextprotocol/server-everything', '2026.8.31', 'dist/index.js'],
  thinking: ['@modelcontextprotocol/server-sequential-thinking', '2026.8.31', 'dist/index.js'],
  commands: ['mcp-server-commands', '0.5.0', 'build/index.js'],
}

/** A server with a long listing, which is only listed and never called. */
export const BROWSER = ['@playwright/mcp', '0.0.83', 'cli.js']

const CACHE = fileURLToPath(new URL('../.cache/mcp-servers', import.meta.url))

/**
 * Installs the servers once, outside this repository's dependencies. Returns the folder that has
 * `node_modules`.
 */
export function installServers() {
  const packages = [...Object.values(SERVERS), BROWSER]
  const dependencies = Object.fromEntries(packages.map(([name, version]) => [name, version]))
  const wanted = `${JSON.stringify({ private: true, dependencies }, null, 2)}\n`
  // Written last, so that an interrupted installation is done again.
  const stamp = join(CACHE, 'installed.json')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return CACHE
  rmSync(CACHE, { recursive: true, force: true })
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(join(CACHE, 'package.json'), wanted)
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=0']
  const { status, stderr, error } = spawnSync(npm, ['install', ...options], { cwd: CACHE, encoding: 'utf8' })
  if (status !== 0) {
    const reason = error?.message ?? /npm error code (\S+)/.exec(stderr)?.[1] ?? stderr.trim()
    throw new ServersMissing(
      `expected to install the MCP servers to compare with from the npm registry, got ${reason}`,
    )
  }
  writeFileSync(stamp, wanted)
  return CACHE
}

export class ServersMissing extends Error {}

/** How each server is started in a project: Node's arguments and the environment variables. */
export function startOf(name, folder, project) {
  const [pack, , file] = SERVERS[name]
  const args = [join(folder, 'node_modules', pack, file), ...(name === 'filesystem' ? [project] : [])]
  return { args, env: name === 'memory' ? { MEMORY_FILE_PATH: join(project, 'memory.jsonl') } : {} }
}

/** The listing of one server alone. */
export async function listServer([pack, , file], folder, project, env) {
  const { client, tools, instructions } = await openServer(
    { args: [join(folder, 'node_modules', pack, file)], env: {} },
    project,
    env,
  )
  await client.close()
  return { tools, instructions }
}

/** Starts `[{args, env}]` in a project. `call` reaches the tools of all of them. */
export async function openSide(starts, project, env) {
  const servers = []
  for (const start of starts) servers.push(await openServer(start, project, env))
  const owners = new Map(servers.flatMap(server => server.tools.map(tool => [tool.name, server])))
  let calls = []
  let shown = ''
  return {
    servers,
    /** Whether an answer in this task contained the word. */
    wasShown: word => shown.includes(word),
    tool: name => owners.get(name)?.tools.find(tool => tool.name === name),
    async call(name, input) {
      const { client } = owners.get(name)
      const result = await client.callTool({ name, arguments: input }, { timeout: 120_000 })
      calls.push(countCall(name, input, result))
      const text = result.content.map(block => block.text ?? '').join('\n')
      shown += text
      return { text, failed: result.isError === true, data: result.structuredContent }
    },
    /** The calls since the last `takeCalls`. */
    takeCalls() {
      const taken = calls
      calls = []
      shown = ''
      return taken
    },
    close: () => Promise.all(servers.map(({ client }) => client.close())),
  }
}

async function openServer({ args, env: own }, project, env) {
  const client = new Client({ name: 'bench', version: '1.0.0' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    cwd: project,
    env: { ...env, ...own },
    stderr: 'ignore',
  })
  await client.connect(transport)
  const { tools } = await client.listTools()
  return { client, tools, instructions: client.getInstructions() }
}
