import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadPolicy, userConfigPath } from '../../src/user/policy.ts'
import { temporaryFolder } from '../files/temporary-folder.ts'

function spaceWith(config: string): string {
  const userSpace = temporaryFolder()
  mkdirSync(dirname(userConfigPath(userSpace)), { recursive: true })
  writeFileSync(userConfigPath(userSpace), config)
  return userSpace
}

describe('the user policy', () => {
  it('refuses partial coverage, shows what went back and lets agents sign, unless the user says otherwise', async () => {
    const standard = {
      legacy: 'refuse',
      rollback: 'show',
      mcp: { sign: 'allow', take_over: 'ask', grant: 'ask' },
      execute: {
        isolation: 'auto',
        core_shadowing: 'refuse',
        project_interpreters: new Map(),
        script_packages: 'refuse',
      },
      isolation: { readable: [], writable: [] },
      limits: {},
      search: { unverified: 'show', meaning: 'on', registry: 'named' },
      embeddings: null,
    }
    expect(await loadPolicy(temporaryFolder())).toEqual(standard)
    expect(await loadPolicy(spaceWith('# nothing\n[mcp]\n'))).toEqual(standard)
    const other =
      'legacy = "allow"\nrollback = "refuse"\n[mcp]\nsign = "deny"\ntake_over = "refuse"\ngrant = "allow"\n'
    expect(await loadPolicy(spaceWith(other))).toEqual({
      ...standard,
      legacy: 'allow',
      rollback: 'refuse',
      mcp: { sign: 'deny', take_over: 'refuse', grant: 'allow' },
    })
  })

  it('reads what execution and search may do', async () => {
    const config = `[execute]
isolation = "bubblewrap"
core_shadowing = "allow"
[search]
unverified = "hide"
meaning = "off"
[embeddings]
url = "http://localhost:11434/v1"
model = "m"
key_env = "PROVIDER_KEY"
[isolation]
readable = ["~/data", "/srv/models"]
[limits]
memory_mb = 512
file_mb = 100
`
    expect(await loadPolicy(spaceWith(config))).toMatchObject({
      search: { unverified: 'hide', meaning: 'off' },
      execute: { isolation: 'bubblewrap', core_shadowing: 'allow' },
      isolation: { readable: ['~/data', '/srv/models'], writable: [] },
      limits: { memory_mb: 512, file_mb: 100 },
      embeddings: { url: 'http://localhost:11434/v1', model: 'm', key_env: 'PROVIDER_KEY' },
    })
  })

  it('reads which projects may use interpreters of their own', async () => {
    const config = '[execute.project_interpreters]\n"/srv/app/" = "allow"\n"/srv/other" = "with-secrets"\n'
    expect((await loadPolicy(spaceWith(config))).execute.project_interpreters).toEqual(
      new Map([
        ['/srv/app', 'allow'],
        ['/srv/other', 'with-secrets'],
      ]),
    )
  })

  it.each([
    [
      'a project by a relative path',
      '[execute.project_interpreters]\n"app" = "allow"\n',
      'expected `execute.project_interpreters` to be a table of absolute paths',
      '',
    ],
    [
      'an unknown permission of a project',
      '[execute.project_interpreters]\n"/srv/app" = "yes"\n',
      'each "allow" or "with-secrets"',
      '',
    ],
    [
      'a word in place of a table of projects',
      '[execute]\nproject_interpreters = "allow"\n',
      'expected `execute.project_interpreters` to be a table',
      '',
    ],
    ['an unknown key', 'legaci = "allow"', '`legaci`', 'did you mean `legacy`?'],
    [
      'an unknown key in a section',
      '[mcp]\nexecute = "deny"',
      '`mcp.execute`',
      'known keys: legacy, rollback, mcp.sign',
    ],
    ['an unknown section', '[trust]\n', '`trust`', 'known keys'],
    [
      'a value out of range',
      'legacy = "maybe"',
      'expected `legacy` to be "refuse" or "allow", got `"maybe"`',
      '',
    ],
    ['a value of another type', '[mcp]\nsign = true', '`mcp.sign` to be "allow" or "deny", got `true`', ''],
    ['a text for a list', '[isolation]\nreadable = "~/x"', '`isolation.readable` to be a list of', ''],
    ['a relative path', '[isolation]\nwritable = ["/x", "data"]', '`isolation.writable` to be a list of', ''],
    ['a limit of nothing', '[limits]\nprocesses = 0', '`limits.processes` to be a whole number above 0', ''],
    [
      'a limit in words',
      '[limits]\nmemory_mb = "512"',
      '`limits.memory_mb` to be a whole number above 0',
      '',
    ],
    ['a number for a word', '[mcp]\nsign = 1', '`mcp.sign` to be "allow" or "deny", got `1`', ''],
    ['a value for a section', 'mcp = "deny"', '`mcp`', ''],
    ['a property of every object', '__proto__ = "x"', '`__proto__`', ''],
    ['an address without a model', '[embeddings]\nurl = "http://x/v1"', '`embeddings.model` is missing', ''],
    ['a model without an address', '[embeddings]\nmodel = "m"', '`embeddings.url` is missing', ''],
    [
      'an address of another kind',
      '[embeddings]\nurl = "file:///etc/passwd"',
      'an http or https address',
      '',
    ],
    [
      'a key in place of its variable',
      '[embeddings]\nkey_env = "sk-123"',
      'the name of an environment variable',
      '',
    ],
    ['broken TOML', 'legacy = ', 'not valid TOML', ''],
  ])('names file and key on %s', async (_, config, message, hint) => {
    const userSpace = spaceWith(config)
    const error = await loadPolicy(userSpace).catch(thrown => thrown)
    expect(error).toMatchObject({ code: 'CONFIG_INVALID' })
    expect(error.message).toContain(userConfigPath(userSpace))
    expect(error.message).toContain(message)
    expect(error.hint ?? '').toContain(hint)
  })
})
