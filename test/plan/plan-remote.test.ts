// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these placeholders are what is tested
import { beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import type { Space } from '../../src/item/index.ts'
import { planTool } from '../../src/plan/plan-tool.ts'
import type { Plan, VerifiedTool } from '../../src/plan/types.ts'
import { readSystemItems } from './system-items.ts'
import { failureOf, makeContext, makeTool, type WorldFacts, yamlTool } from './world.ts'

let system: VerifiedTool[]
beforeAll(async () => {
  system = await readSystemItems()
})

function plan(tool: VerifiedTool, parameters: JsonObject = {}, facts: WorldFacts = {}): Promise<Plan> {
  return planTool(
    tool,
    parameters,
    makeContext({ ...facts, tools: [...system, ...(facts.tools ?? []), tool] }),
  )
}

function http(config: JsonObject, extra: JsonObject = {}): VerifiedTool {
  return makeTool('my/tool', {
    tool_type: 'http',
    executor_id: 'rye/core/runtimes/http/http',
    config,
    ...extra,
  })
}

async function request(
  config: JsonObject,
  parameters: JsonObject = {},
  facts: WorldFacts = {},
  extra: JsonObject = {},
) {
  const { invocation } = await plan(http(config, extra), parameters, facts)
  if (invocation.kind !== 'http') throw new Error('expected http')
  return invocation
}

describe('an HTTP tool', () => {
  test('is a request with the caller’s values in their places', async () => {
    const made = await request(
      {
        method: 'post',
        url: 'https://api.example/v1/{user}/x',
        query: { q: '{text}', list: '{list}', none: '{gone}' },
        headers: { 'X-User': '{user}' },
        body: { text: '{text}', n: '{n}', fixed: 'a{n}' },
        retry: { max_attempts: 3, backoff: 'linear' },
      },
      { user: 'a/b?c#d', text: 'x&y=${HOME}', n: 5, list: [1, 2] },
      {},
      { config_schema: { properties: { gone: {} } } },
    )
    expect(made).toMatchObject({
      method: 'POST',
      url: 'https://api.example/v1/a%2Fb%3Fc%23d/x?q=x%26y%3D%24%7BHOME%7D&list=1&list=2',
      headers: { 'X-User': 'a/b?c#d' },
      body: { text: 'x&y=${HOME}', n: 5, fixed: 'a5' },
      retry: { attempts: 3, backoff: 'linear' },
      allowPrivate: false,
    })
  })

  test('sends the bearer token that its auth names, and hides it', async () => {
    const tool = http({ url: 'https://api.example/', auth: { type: 'bearer', token: '${API_TOKEN}' } })
    const made = await plan(tool, {}, { env: { API_TOKEN: 't0k3n-value' } })
    expect(made.invocation).toMatchObject({
      headers: { Authorization: 'Bearer t0k3n-value' },
      credentialHeaders: ['authorization'],
    })
    expect(made.secrets).toEqual(['t0k3n-value'])
    expect(made.environment).toEqual({})
    expect(made.environmentOrigins.size).toBe(0)
  })

  test('sends an api key in the header it names', async () => {
    const auth = { type: 'api_key', secret: 'KEY', header: 'X-Key' }
    const made = await request({ url: 'https://api.example/', auth }, {}, { env: { KEY: 'k' } })
    expect(made).toMatchObject({ headers: { 'X-Key': 'k' }, credentialHeaders: ['x-key'] })
  })

  test('takes whatever auth sends for a credential, also a key that is written out', async () => {
    const auth = { type: 'api_key', key: 'written-out' }
    const made = await request({ url: 'https://api.example/', auth })
    expect(made).toMatchObject({ headers: { 'X-API-Key': 'written-out' }, credentialHeaders: ['x-api-key'] })
  })

  test('takes an authorization header for a credential, however it is spelt, and no other', async () => {
    const headers = { AUTHORIZATION: 'Basic eA==', Accept: '*/*' }
    expect((await request({ url: 'https://api.example/', headers })).credentialHeaders).toEqual([
      'authorization',
    ])
  })

  test.each([
    [{ headers: { 'a b': 'x' } }, '`a b` is not a header name'],
    [{ headers: { a: 'x\r\nb: y' } }, 'header `a` contains a line break'],
    [{ headers: ['a'] }, '`headers` must be an object'],
    [{ auth: 'x' }, '`auth` must be an object'],
    [{ auth: { type: 'basic' } }, 'expected auth type bearer or api_key, got `basic`'],
    [{ auth: { type: 'bearer' } }, '`auth.token` must be a string'],
    [{ auth: { type: 'api_key', key: 'k', header: '' } }, '`auth.header` must be a string'],
    [{ method: 'TRACE' }, 'expected method to be one of'],
    [{ retry: { max_attempts: 0 } }, 'expected retry.max_attempts from 1 to 10, got `0`'],
    [{ retry: { max_attempts: 11 } }, 'expected retry.max_attempts from 1 to 10, got `11`'],
    [{ retry: { max_attempts: 1.5 } }, 'expected retry.max_attempts from 1 to 10, got `1.5`'],
    [{ retry: { backoff: 'none' } }, 'expected retry.backoff exponential or linear, got `none`'],
    [{ query: 'a=b' }, '`query` must be an object'],
    [{ url: '' }, '`url` must be a string'],
  ])('is refused with %j', async (config, message) => {
    const failure = await failureOf(request({ url: 'https://api.example/', ...config }))
    expect(failure).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining(message) })
  })

  test('is tried once if nothing else is said, and ten times at most', async () => {
    const url = 'https://api.example/'
    expect((await request({ url })).retry).toEqual({ attempts: 1, backoff: 'exponential' })
    expect((await request({ url, retry: { max_attempts: 10 } })).retry.attempts).toBe(10)
  })

  test('keeps the query that its URL has, and puts another before its fragment', async () => {
    const urlOf = async (url: string, query: JsonObject) => (await request({ url, query })).url
    expect(await urlOf('https://api.example/?a=1', { b: 2 })).toBe('https://api.example/?a=1&b=2')
    expect(await urlOf('https://api.example/#x', { b: 2 })).toBe('https://api.example/?b=2')
    expect(await urlOf('https://api.example/#x', {})).toBe('https://api.example/#x')
  })

  test('without its optional secret sends no credential at all', async () => {
    const auth = { type: 'bearer', secret: 'TOKEN?' }
    expect((await request({ url: 'https://api.example/', auth })).headers).toEqual({})
  })

  test('a secret of auth may have a default', async () => {
    const config = { url: 'https://api.example/', auth: { type: 'bearer', token: '${TOKEN:-none}' } }
    expect((await request(config)).headers.Authorization).toBe('Bearer none')
    expect((await request(config, {}, { env: { TOKEN: 'real' } })).headers.Authorization).toBe('Bearer real')
  })

  test('marks any header that contains a declared secret', async () => {
    const config = { url: 'https://api.example/', headers: { 'X-Custom': 'v ${TOKEN}' } }
    const made = await request(config, {}, { env: { TOKEN: 'hidden' } }, { secrets: ['TOKEN'] })
    expect(made.credentialHeaders).toEqual(['x-custom'])
  })

  test.each([
    [
      { url: 'https://{host}/x' },
      { host: 'evil.example' },
      'the host of a URL cannot be decided by a parameter',
    ],
    [
      { url: '{scheme}://api.example/x' },
      { scheme: 'file' },
      'the host of a URL cannot be decided by a parameter',
    ],
    [
      { url: 'https://api.example{tail}' },
      { tail: '@evil.example/' },
      'the host of a URL cannot be decided by a parameter',
    ],
    [{ url: 'https://api.example/v1/{a}/x' }, { a: '..' }, 'would change the path'],
    [{ url: 'https://api.example/v1/.{a}/x' }, { a: '.' }, 'would change the path'],
    [{ url: 'https://api.example/v1/%2e{a}/x' }, { a: '.' }, 'would change the path'],
    [{ url: 'https://api.example/v1/{a}%2E' }, { a: '.' }, 'would change the path'],
    [{ url: 'https://api.example/v1/%2e%2E/{a}' }, { a: 'x' }, 'would change the path'],
    [{ url: 'https://api.example/v1\\%2e/{a}' }, { a: 'x' }, 'would change the path'],
    [{ url: 'https://api.example/{a}' }, { a: '\ud800' }, 'not well-formed'],
    [{ url: 'ftp://api.example/' }, {}, 'expected an https URL, got `ftp:`'],
    [{ url: 'file:///etc/passwd' }, {}, 'expected an https URL'],
    [{ url: 'http://api.example/' }, {}, 'got http for api.example'],
    [{ url: 'https://user:pass@api.example/' }, {}, 'contains a user or password'],
    [{ url: '{url}' }, { url: 'javascript:alert(1)' }, 'expected an https URL'],
    [{ url: '{url}' }, { url: 'nonsense' }, 'expected an absolute URL'],
    [{}, {}, '`url` must be a string'],
    [{ url: 'https://a.example/', method: 'BREW' }, {}, 'expected method'],
    [{ url: 'https://a.example/', headers: { 'X-A': '{v}' } }, { v: 'a\r\nX-Evil: 1' }, 'line break'],
    [{ url: 'https://a.example/', headers: { 'bad name': 'x' } }, {}, 'not a header name'],
    [{ url: 'https://a.example/', auth: { type: 'magic' } }, {}, 'expected auth type'],
    [
      { url: 'https://a.example/', auth: { type: 'bearer', token: '${NOT_SET}' } },
      {},
      'secret `NOT_SET` is not set',
    ],
    [{ url: 'https://a.example/', headers: { A: '${SHELL_TOKEN}' } }, {}, 'not set or not declared'],
    [{ url: 'https://a.example/', retry: { max_attempts: 1000 } }, {}, 'retry.max_attempts'],
  ])('%j with %j is refused', async (config, parameters, reason) => {
    const failure = await failureOf(
      request(config as JsonObject, parameters as JsonObject, { env: { SHELL_TOKEN: 'x' } }),
    )
    expect(failure.message).toContain(reason)
  })

  test('reaches plain http only where the signed item allows it', async () => {
    const made = await request({ url: 'http://127.0.0.1:8080/', allow_private: true })
    expect(made).toMatchObject({ url: 'http://127.0.0.1:8080/', allowPrivate: true })
  })

  test('a caller cannot allow it', async () => {
    const failure = await failureOf(request({ url: 'http://127.0.0.1/' }, { allow_private: true }))
    expect(failure.code).toBe('NETWORK_REFUSED')
  })
})

const TOOL = `
tool_type: mcp
executor_id: rye/core/runtimes/mcp_http_runtime
category: mcp/context7
version: 1.0.0
description: Retrieves documentation
config:
  server: mcp/servers/context7
  tool_name: query-docs
input_schema:
  type: object
  properties:
    query: { type: string }
  required: [query]
`
const SERVER = `
tool_type: mcp_server
executor_id: null
category: mcp/servers
version: 1.0.0
description: 'MCP server: context7'
config:
  transport: http
  timeout: 30
  url: https://mcp.context7.com/mcp
`

describe('a tool of another MCP server', () => {
  test('is a call of a verified server', async () => {
    const tool = await yamlTool('mcp/context7/query-docs', TOOL)
    const server = await yamlTool('mcp/servers/context7', SERVER)
    const made = await plan(tool, { query: '{project_path}' }, { tools: [server] })
    expect(made.invocation).toEqual({
      kind: 'mcp',
      toolName: 'query-docs',
      server: {
        id: 'mcp/servers/context7',
        digest: server.digest,
        transport: 'http',
        url: 'https://mcp.context7.com/mcp',
        headers: {},
        credentialHeaders: [],
        allowPrivate: false,
      },
    })
    expect(made.references).toEqual([server])
    expect(made).toMatchObject({ timeoutMs: 30_000, parameters: { query: '{project_path}' } })
  })

  function stdio(config: JsonObject, extra: JsonObject = {}): VerifiedTool {
    return makeTool('mcp/servers/s', {
      tool_type: 'mcp_server',
      executor_id: null,
      config: { transport: 'stdio', ...config },
      ...extra,
    })
  }
  const caller = makeTool('mcp/s/t', {
    tool_type: 'mcp',
    executor_id: 'mcp_stdio_runtime',
    config: { server: 'mcp/servers/s', tool_name: 't' },
  })

  test('over stdio starts the declared command in the declared environment', async () => {
    const server = stdio(
      { command: 'npx', args: ['-y', 'x', '{project_path}', '{query}'], env: { MODE: 'a', KEY: '${TOKEN}' } },
      { secrets: ['TOKEN'] },
    )
    const made = await plan(
      caller,
      { query: 'evil' },
      { tools: [server], env: { PATH: '/bin', TOKEN: 'hidden', OTHER: 'x' } },
    )
    expect(made.invocation).toMatchObject({
      server: {
        transport: 'stdio',
        command: 'npx',
        args: ['-y', 'x', '/srv/app', '{query}'],
        env: { PATH: '/bin', TOKEN: 'hidden', MODE: 'a', KEY: 'hidden' },
        cwd: '/',
      },
    })
    expect(made.secrets).toEqual(['hidden'])
    expect(made.environment).toEqual({})
  })

  test.each<['refuse' | 'allow' | 'with-secrets', string, JsonObject, boolean]>([
    ['refuse', 'project', {}, false],
    ['allow', 'project', {}, true],
    ['with-secrets', 'project', {}, true],
    ['allow', 'project', { secrets: ['TOKEN'] }, false],
    ['with-secrets', 'project', { secrets: ['TOKEN'] }, true],
    ['with-secrets', 'user', {}, false],
  ])(
    'under %s, a server of the %s space with %j may mean a program of the project: %s',
    async (projectInterpreters, space, extra, may) => {
      const server = { ...stdio({ command: 'units' }, extra), space: space as Space }
      const made = await plan(caller, {}, { tools: [server], env: { TOKEN: 'hidden' }, projectInterpreters })
      expect(made.invocation).toMatchObject({ server: { mayUseProject: may } })
    },
  )

  test.each([
    [undefined, '/'],
    ['{project_path}', '/srv/app'],
    ['./', '/srv/app/'],
    ['servers/units', '/srv/app/servers/units'],
    ['/opt/units', '/opt/units'],
  ])('whose `cwd` is %s starts in %s', async (cwd, folder) => {
    const server = stdio({ command: 'python3', ...(cwd !== undefined && { cwd }) })
    const made = await plan(caller, {}, { tools: [server] })
    expect(made.invocation).toMatchObject({ server: { cwd: folder } })
  })

  test.each([
    ['is missing', caller, [], 'CHAIN_BROKEN'],
    ['is no server', caller, [makeTool('mcp/servers/s', { tool_type: 'python' })], 'CHAIN_INVALID'],
    [
      'speaks otherwise',
      caller,
      [
        makeTool('mcp/servers/s', {
          tool_type: 'mcp_server',
          config: { transport: 'http', url: 'https://a.example/' },
        }),
      ],
      'CHAIN_INVALID',
    ],
    ['has no command', caller, [stdio({})], 'CONFIG_INVALID'],
    ['speaks pigeon', caller, [stdio({ transport: 'pigeon' })], 'CONFIG_INVALID'],
    [
      'is on a plain address',
      caller,
      [stdio({ transport: 'http', url: 'http://10.0.0.1/' })],
      'NETWORK_REFUSED',
    ],
    [
      'is named by a path',
      makeTool('t', { executor_id: 'mcp_http_runtime', config: { server: '../x', tool_name: 't' } }),
      [],
      'CONFIG_INVALID',
    ],
    [
      'is not named',
      makeTool('t', { executor_id: 'mcp_http_runtime', config: { tool_name: 't' } }),
      [],
      'CONFIG_INVALID',
    ],
    [
      'has no tool named',
      makeTool('t', { executor_id: 'mcp_http_runtime', config: { server: 'mcp/servers/s' } }),
      [],
      'CONFIG_INVALID',
    ],
  ])('whose server %s is an error', async (_, tool, tools, code) => {
    expect((await failureOf(plan(tool, {}, { tools }))).code).toBe(code)
  })

  test('of the user space never uses a server of the project', async () => {
    const tool = makeTool('mcp/s/t', caller.metadata, { space: 'user' })
    expect((await failureOf(plan(tool, {}, { tools: [stdio({ command: 'evil' })] }))).code).toBe(
      'CHAIN_BROKEN',
    )
  })

  test('a caller’s parameters called server or tool_name are only values', async () => {
    const parameters = { server: 'evil', tool_name: 'evil', transport: 'http' }
    const made = await plan(caller, parameters, { tools: [stdio({ command: 'x' })] })
    expect(made.invocation).toMatchObject({ toolName: 't', server: { id: 'mcp/servers/s' } })
    expect(made.parameters).toEqual(parameters)
  })
})

test('permissions count wherever a server and its tool declare them', async () => {
  const server = makeTool('mcp/servers/s', {
    tool_type: 'mcp_server',
    permissions: { network: ['a.example'], write: ['out'] },
    config: {
      transport: 'stdio',
      command: 'x',
      permissions: { network: ['b.example'], limits: { processes: 5 } },
    },
  })
  const permissions = { network: ['a.example', 'c.example'] }
  const tool = makeTool('my/tool', {
    tool_type: 'mcp',
    executor_id: 'rye/core/runtimes/mcp/stdio',
    permissions,
    config: { server: 'mcp/servers/s', tool_name: 't' },
  })
  expect((await plan(tool, {}, { tools: [server] })).permissions).toEqual({
    network: ['a.example', 'b.example', 'c.example'],
    write: ['/srv/app/out'],
    limits: { processes: 5 },
  })
})
