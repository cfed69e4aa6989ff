import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/base/index.ts'
import { declaredNeeds } from '../../src/plan/index.ts'

const needs = (metadata: JsonObject, extension = '.yaml') =>
  declaredNeeds({ id: 'ops/deploy', extension, metadata })

describe('what a tool declares', () => {
  it('is read from each place that a plan reads', () => {
    expect(
      needs({
        executor_id: 'rye/core/runtimes/bash/bash',
        permissions: { network: ['a.example'], limits: { memory_mb: 64 } },
        config: { permissions: { network: ['b.example'], write: ['/srv'] } },
        secrets: ['TOKEN?'],
        env_config: { dotenv: ['REGION'], env: { LEVEL: '1' }, secrets: ['KEY'] },
      }),
    ).toEqual({
      executor: 'rye/core/runtimes/bash/bash',
      network: ['a.example', 'b.example'],
      write: ['/srv'],
      limits: { memory_mb: 64 },
      variables: ['REGION', 'LEVEL'],
      sets: [{ name: 'LEVEL', value: '1' }],
      secrets: ['TOKEN?', 'KEY'],
      faults: [],
    })
  })

  it('is not hidden by an empty declaration in another place', () => {
    expect(needs({ permissions: {}, config: { permissions: { network: true } } }).network).toEqual(['*'])
  })

  it('is what its credentials and its items bring with them', () => {
    const config = {
      auth: { type: 'api_key', key: `\${KEY}\${PART:-none}` },
      allow_private: true,
      item_resolve: { one: { type: 'tool', id: 'a/{name}' }, odd: 'x' },
    }
    expect(needs({ config })).toMatchObject({
      secrets: ['KEY', 'PART?'],
      items: ['a/{name}'],
      private_addresses: true,
    })
    expect(needs({ config: { auth: { type: 'bearer', secret: 'TOKEN' } } }).secrets).toEqual(['TOKEN'])
    expect(needs({ config: { auth: 'x', allow_private: 'yes', item_resolve: [] } })).not.toMatchObject({
      items: expect.anything(),
    })
  })

  it('is which settings it reads', () => {
    const both = [{ path: 'a.yaml', mode: 'first_match' }, { path: 'b/c.yaml' }, { path: 'a.yaml' }]
    expect(needs({ config_resolve: both }).settings).toEqual(['a.yaml', 'b/c.yaml'])
    expect(needs({ config_resolve: { path: 'x.yaml' } }, '.py').settings).toEqual(['x.yaml'])
    for (const odd of [null, 'a.yaml', [], [null, 1, ['a.yaml']], { path: 1 }])
      expect(needs({ config_resolve: odd })).not.toHaveProperty('settings')
  })

  it.each<[JsonObject, true | undefined]>([
    [{ config: { url: '{url}' } }, true],
    [{ config: { inline: { url: '{where}' } }, tool_type: 'runtime' }, true],
    [{ config: { url: '{config.base}' } }, true],
    [{ config: { url: '{config.base}', base: 'https://a.example/' } }, undefined],
    [{ config: { url: '{config.base}' }, tool_type: 'runtime' }, undefined],
    [{ config: { url: '{url}', transport: 'http' }, tool_type: 'mcp_server' }, undefined],
    // No such request is sent: a parameter cannot be a part of the host.
    [{ config: { url: 'https://{host}/' } }, undefined],
    [{ config: { url: 'https://a.example/{path}' } }, undefined],
    [{ config: { url: ['{url}'] } }, undefined],
    [{ config: { url: null } }, undefined],
  ])('is whether its caller chooses the host: %j', (metadata, chosen) => {
    expect(needs(metadata).any_host).toBe(chosen)
  })

  it.each<[string, string]>([
    ['https://a.example/{path}?q={q}', 'a.example'],
    ['HTTPS://A.EXAMPLE:8443/x', 'a.example:8443'],
    ['https:\\\\a.example\\{x}', 'a.example'],
    ['https:a.example', 'a.example'],
    ['\thttps://a.ex\nample/', 'a.example'],
    ['https://2130706433/', '127.0.0.1'],
    [`https://\${HOST:-a.example}/x`, `https://\${HOST:-a.example}/x`],
    [`\${BASE}/x`, `\${BASE}/x`],
    [`\thttps://\${HOST}/`, `\thttps://\${HOST}/`],
    [`https://\${USER}@a.example/`, `https://\${USER}@a.example/`],
    ['https://%7Bhost%7D/', 'https://%7Bhost%7D/'],
    ['https://{config.host}/', 'https://{config.host}/'],
    ['nonsense', 'nonsense'],
  ])('is the host of a request: %j', (url, host) => {
    expect(needs({ config: { url } })).toMatchObject({ requests: [host] })
    expect(needs({ tool_type: 'mcp_server', config: { url } }).requests).toEqual([host])
  })

  it.each([
    'LD_PRELOAD',
    'NODE_OPTIONS',
    'PYTHONPATH',
    'PATH',
    'GIT_SSH_COMMAND',
    'BASH_ENV',
    'RYE_PYTHON',
    'a b',
  ])('is that it sets %s, which chooses what runs', name => {
    const set = { name, value: 'x', chooses_code: true }
    expect(needs({ env_config: { env: { [name]: 'x' } } }, '.py').sets).toEqual([set])
  })

  it.each(['LEVEL', 'NODE_ENV', 'LC_ALL', 'TZ', 'PYTHONUTF8', 'GIT_TERMINAL_PROMPT'])(
    'is that it sets %s, which does not',
    name => {
      expect(needs({ env_config: { env: { [name]: 'x' } } }).sets).toEqual([{ name, value: 'x' }])
    },
  )

  it('is what a server of MCP sets for its process', () => {
    const config = { transport: 'stdio', command: 'x', env: { NODE_OPTIONS: '-r ./x.cjs', DEEP: { a: [1] } } }
    expect(needs({ tool_type: 'mcp_server', config })).toMatchObject({
      variables: ['NODE_OPTIONS', 'DEEP'],
      sets: [
        { name: 'NODE_OPTIONS', value: '-r ./x.cjs', chooses_code: true },
        { name: 'DEEP', value: '{"a":[1]}' },
      ],
    })
    expect(needs({ config })).not.toHaveProperty('sets')
  })

  it('is a variable that gets the path of its interpreter, unless it is one of ours', () => {
    const naming = (name: string) =>
      needs({ env_config: { interpreter: { type: 'system_binary', binary: 'x', var: name } } }).sets
    expect(naming('LD_PRELOAD')).toEqual([
      { name: 'LD_PRELOAD', value: '(path of the interpreter)', chooses_code: true },
    ])
    expect(naming('RYE_PERL')).toBeUndefined()
  })

  const anchored = (env_paths: unknown, more: JsonObject = {}) =>
    needs({ anchor: { mode: 'always', env_paths, ...more } as JsonObject }).sets

  it.each<[string, JsonObject, string]>([
    ['PYTHONPATH', { prepend: ['{anchor_path}'] }, `{anchor_path}:\${PYTHONPATH}`],
    ['NODE_PATH', { append: ['{runtime_lib}/a/b/'] }, `\${NODE_PATH}:{runtime_lib}/a/b/`],
    ['PERL5LIB', { prepend: ['{tool_dir}', 3], append: null }, `{tool_dir}:3:\${PERL5LIB}`],
    ['DATA', { prepend: ['/srv'] }, `/srv:\${DATA}`],
  ])('is a path that it adds to %s', (name, edit, value) => {
    const [set] = anchored({ [name]: edit })!
    expect(set).toMatchObject({ name, value })
    expect(set!.chooses_code).toBe(name === 'PERL5LIB' ? true : undefined)
  })

  it.each<[string, string]>([
    ['PYTHONPATH', '{project_path}'],
    ['PYTHONPATH', '{anchor_path}/..'],
    ['PYTHONPATH', '{anchor_path}/../../x'],
    ['PYTHONPATH', '{anchor_path}:/tmp'],
    ['PYTHONPATH', '{anchor_path}x'],
    ['PYTHONPATH', `{anchor_path}/\${HOME}`],
    ['PATH', '/opt/bin'],
    ['LD_PRELOAD', '{anchor_path}/x.so'],
  ])('is that it puts into %s what is not signed with it, or is loaded: %s', (name, path) => {
    expect(anchored({ [name]: { append: [path] } })).toMatchObject([{ name, chooses_code: true }])
  })

  it('knows a copy from the project, and a path from none', () => {
    const edit = { PYTHONPATH: { prepend: ['{anchor_path}'] } }
    expect(anchored(edit, { root: 'project_path' })).toMatchObject([{ chooses_code: true }])
    expect(anchored(edit, { enabled: false })).toBeUndefined()
    expect(anchored(edit, { mode: 'auto' })).toBeUndefined()
    expect(anchored(edit, { mode: 'auto', markers_any: ['x'] })).toHaveLength(1)
    for (const odd of [null, 'x', ['x'], { PATH: 'x' }, { PATH: {} }, { PATH: { prepend: [{}, null] } }])
      expect(anchored(odd)).toBeUndefined()
  })

  it('is not what a program calls its variables', () => {
    const metadata = { permissions: { network: ['a.example'] }, secrets: ['TOKEN'] }
    expect(needs(metadata, '.py')).toMatchObject({ network: [], secrets: [] })
  })

  it.each([
    { permissions: { network: 'a.example' } },
    { permissions: { write: 'x' } },
    { permissions: { limits: { hours: 1 } } },
    { env_config: [] },
    { secrets: ['not a name'] },
  ])('is told with its fault: %j', metadata => {
    expect(needs(metadata).faults).toHaveLength(1)
  })
})
