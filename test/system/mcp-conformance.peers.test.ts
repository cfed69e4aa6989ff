// The official conformance suite and the official inspector against the built server.
// docs/decisions/0060-conformance.md says what does not apply, and why; this test keeps both lists complete.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runPeer, startTokenProxy } from './mcp-peers.ts'
import { addSkill, connectHttp, makeWorld, PROGRAM, searchFor, startHttp } from './mcp-world.ts'

/** Scenarios with every check passed, and how many checks that is. */
const PASSES: Readonly<Record<string, number>> = {
  'dns-rebinding-protection': 2,
  'http-header-validation': 14,
  'input-required-result-ignore-extra-params': 1,
  'input-required-result-missing-input-response': 1,
  'input-required-result-unsupported-methods': 2,
  'input-required-result-validate-input': 3,
  ping: 2,
  'resources-list': 2,
  'sep-2164-resource-not-found': 4,
  'sep-2640-skills-directory': 7,
  'sep-2640-skills-enumeration': 32,
  'sep-2640-skills-manifest': 6,
  'server-initialize': 2,
  'tools-list': 3,
}

/** Scenarios that apply except for the named checks, which need a fixture. */
const PASSES_BUT: Readonly<Record<string, { passed: number; needFixture: readonly string[] }>> = {
  'server-stateless': {
    passed: 24,
    needFixture: [
      'sep-2575-server-rejects-undeclared-capability',
      'sep-2575-missing-capability-http-400',
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-server-no-log-without-loglevel',
    ],
  },
  caching: {
    passed: 7,
    needFixture: ['sep-2549-prompts-list-caching-hints'],
  },
}

/** Scenarios that call a fixture, or a part of the protocol that we do not offer. */
const DOES_NOT_APPLY: readonly RegExp[] = [
  /^tools-call-/,
  /^json-schema-2020-12$/,
  /^http-custom-header-server-validation$/,
  /^elicitation-/,
  /^input-required-result-(basic-|request-state$|multi|non-tool|result-type$|tampered|capability)/,
  /^tasks-/,
  /^prompts-/,
  /^resources-(read|templates-read|subscribe|unsubscribe)/,
  /^completion-complete$/,
  /^logging-set-level$/,
  /^server-s(ession-lifecycle|se-polling|se-multiple-streams)$/,
]

interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

describe('the official conformance suite', () => {
  it('finds no fault in what applies to us, and no scenario is left unjudged', async () => {
    const world = makeWorld()
    await addSkill(world, 'butler', 'user')
    await addSkill(world, 'pirate', 'user')
    const url = await startTokenProxy(await startHttp(world))
    const results = join(world.root, 'results')
    const outcome = await runPeer('conformance', ['server', '--url', url, '--suite', 'all', '-o', results])
    expect(outcome.output, outcome.log).toContain('=== SUMMARY ===')
    const scenarios = readScenarios(results)
    expect([...scenarios.keys()]).toEqual(
      expect.arrayContaining([...Object.keys(PASSES), ...Object.keys(PASSES_BUT)]),
    )
    const verdicts = [...scenarios]
      .map(([name, checks]) => judge(name, checks))
      .filter(text => text !== undefined)
    expect(verdicts).toEqual([])
  })
})

describe('the official inspector', () => {
  it('lists our tools and finds them portable', async () => {
    const world = makeWorld()
    const args = [
      '--cli',
      '--format',
      'json',
      '--strict',
      '--method',
      'tools/list',
      '--',
      process.execPath,
      PROGRAM,
      'mcp',
    ]
    const { status, output, log } = await runPeer('inspector', args, { cwd: world.project, env: world.env })
    expect(status, log).toBe(0)
    const { result } = JSON.parse(output)
    expect(result.tools.map((tool: { name: string }) => tool.name)).toEqual([
      'search',
      'load',
      'execute',
      'sign',
    ])
  })

  it('calls a tool over HTTP', async () => {
    const world = makeWorld()
    const server = await startHttp(world)
    // A first search may be answered before everything is indexed.
    const client = await connectHttp(server, { mode: 'legacy' })
    await searchFor(client, { query: 'bash', project_path: world.project })
    const args = [
      '--cli',
      server.url.href,
      '--format',
      'json',
      '--header',
      `Authorization: Bearer ${server.token}`,
    ]
    const call = ['--method', 'tools/call', '--tool-name', 'search', '--tool-arg', 'query=bash']
    const { status, output, log } = await runPeer(
      'inspector',
      [...args, ...call, `project_path=${world.project}`],
      { cwd: world.project, env: world.env },
    )
    expect(status, log).toBe(0)
    expect(JSON.parse(output).result.structuredContent.results[0].id).toBe('rye/bash')
  })
})

function readScenarios(folder: string): Map<string, readonly Check[]> {
  return new Map(
    readdirSync(folder).map(name => [
      name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ''),
      JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[],
    ]),
  )
}

/** What is wrong with the outcome of a scenario, or nothing. */
function judge(name: string, checks: readonly Check[]): string | undefined {
  const passed = checks.filter(check => check.status === 'SUCCESS').length
  const failed = checks.filter(check => check.status === 'FAILURE')
  const needFixture = PASSES_BUT[name]?.needFixture ?? []
  const enough = PASSES_BUT[name]?.passed ?? PASSES[name]
  if (enough === undefined) {
    if (DOES_NOT_APPLY.some(pattern => pattern.test(name))) return undefined
    return `${name}: neither expected to pass nor written down as not applying`
  }
  const unexpected = failed.filter(check => !needFixture.includes(check.id))
  if (unexpected.length > 0)
    return `${name}: ${unexpected.map(check => check.errorMessage ?? check.id).join('; ')}`
  if (failed.length !== needFixture.length) return `${name}: fewer checks need a fixture than written down`
  return passed >= enough ? undefined : `${name}: expected ${enough} checks to pass, got ${passed}`
}
