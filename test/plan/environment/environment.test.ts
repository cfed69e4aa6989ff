// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these placeholders are what is tested
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/base/json.ts'
import { parseDotenv } from '../../../src/plan/environment/dotenv.ts'
import { Environment } from '../../../src/plan/environment/environment.ts'
import { mayComeFromDotenv, mayPassToChild } from '../../../src/plan/environment/variable-policy.ts'
import { makeTool } from '../world.ts'

function build(
  source: { env?: Record<string, string>; dotenv?: string },
  ...declared: JsonObject[]
): Environment {
  const environment = new Environment({ env: source.env ?? {}, readDotenv: () => source.dotenv ?? null })
  for (const [index, metadata] of declared.entries()) environment.addElement(makeTool(`e${index}`, metadata))
  return environment
}

describe('what passes from the caller', () => {
  // Pinned: each name here reaches every tool on every machine.
  test.each([
    'PATH',
    'HOME',
    'USER',
    'LOGNAME',
    'LANG',
    'LANGUAGE',
    'LC_ALL',
    'LC_CTYPE',
    'TZ',
    'TMPDIR',
    'TERM',
    'SYSTEMROOT',
    'SystemRoot',
    'COMSPEC',
    'ComSpec',
    'Path',
    'PATHEXT',
    'TEMP',
    'TMP',
    'USERPROFILE',
  ])('%s', name => {
    expect(mayPassToChild(name)).toBe(true)
  })

  test.each([
    'AWS_SECRET_ACCESS_KEY',
    'ANTHROPIC_API_KEY',
    'GITHUB_TOKEN',
    'RYE_SIGNING_KEY',
    'SSH_AUTH_SOCK',
    'LD_PRELOAD',
    'NODE_OPTIONS',
    'PYTHONPATH',
    'BASH_ENV',
    'BASH_FUNC_ls%%',
    'LC_ALL=x',
    'path',
    'SHELL',
    'PWD',
    'USER_SPACE',
    '__proto__',
  ])('never %s', name => {
    expect(mayPassToChild(name)).toBe(false)
  })

  test('is the whole of it when nothing is declared', () => {
    const environment = build({ env: { PATH: '.:/bin::node_modules/.bin', API_KEY: 'x', LANG: 'C' } })
    expect(Object.fromEntries(environment.values)).toEqual({ PATH: '/bin', LANG: 'C' })
    expect([...environment.origins()]).toEqual([['caller', ['LANG', 'PATH']]])
  })
})

describe('a project’s .env', () => {
  // Pinned: variables that choose, configure or preload a program.
  test.each([
    'PATH',
    'Path',
    'HOME',
    'TMPDIR',
    'RYE_PYTHON',
    'RYE_NODE',
    'RYE_DEV_MODE',
    'USER_SPACE',
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'LD_AUDIT',
    'DYLD_INSERT_LIBRARIES',
    'NODE_OPTIONS',
    'NODE_PATH',
    'NODE_EXTRA_CA_CERTS',
    'NODE_TLS_REJECT_UNAUTHORIZED',
    'PYTHONPATH',
    'PYTHONSTARTUP',
    'PYTHONHOME',
    'PYTHONINSPECT',
    'VIRTUAL_ENV',
    'BASH_ENV',
    'ENV',
    'IFS',
    'CDPATH',
    'SHELLOPTS',
    'PS4',
    'PROMPT_COMMAND',
    'PERL5OPT',
    'PERL5LIB',
    'PERLLIB',
    'RUBYOPT',
    'RUBYLIB',
    'GIT_SSH_COMMAND',
    'GIT_EXEC_PATH',
    'GIT_CONFIG_COUNT',
    'SSH_ASKPASS',
    'PAGER',
    'EDITOR',
    'JAVA_TOOL_OPTIONS',
    '_JAVA_OPTIONS',
    'CLASSPATH',
    'http_proxy',
    'HTTPS_PROXY',
    'SSL_CERT_FILE',
    'REQUESTS_CA_BUNDLE',
    'npm_config_script_shell',
    'PIP_INDEX_URL',
    'GLIBC_TUNABLES',
    'XDG_CONFIG_HOME',
    'GOFLAGS',
    'CARGO_HOME',
    'RUSTC_WRAPPER',
    'DOCKER_HOST',
    'KUBECONFIG',
    'LC_ALL',
    'ld_preload',
    'RIPGREP_CONFIG_PATH',
    'TAR_OPTIONS',
    'MAKEFILES',
    'LESSOPEN',
    'RSYNC_RSH',
  ])('never sets %s', name => {
    expect(mayComeFromDotenv(name)).toBe(false)
    const dotenv = `${name}=evil`
    expect(() => build({ dotenv }, { env_config: { dotenv: [name] } })).toThrow('cannot come from `.env`')
    expect(() => build({ dotenv }, { secrets: [name] })).toThrow(/is not set|cannot be declared/)
  })

  test.each([
    'DATABASE_URL',
    'GOOGLE_API_KEY',
    'NPM_TOKEN',
    'NODE_ENV',
    'GITHUB_TOKEN',
    'RUST_LOG',
    'PORT',
    'lower_case',
  ])('may set %s', name => {
    const environment = build({ dotenv: `${name}=v\nOTHER=o` }, { env_config: { dotenv: [name] } })
    expect(Object.fromEntries(environment.values)).toEqual({ [name]: 'v' })
    expect(environment.origins().get('.env')).toEqual([name])
  })

  test('gives nothing that was not asked for', () => {
    expect(build({ dotenv: 'DATABASE_URL=x\nDEBUG=1' }, {}).values.size).toBe(0)
  })

  test('cannot be named by `${VAR}` in configuration', () => {
    const environment = build({ dotenv: 'PROGRAM=/tmp/evil' }, { env_config: { dotenv: ['PROGRAM'] } })
    expect(() => environment.expand('${PROGRAM}')).toThrow('not set or not declared')
  })

  test('is read as it is written, and nothing in it is expanded or run', () => {
    const text = [
      '# comment',
      'A=1',
      'export B = two words # note',
      'C="x # y"',
      "D='$HOME `id`'",
      'E="a\\nb"',
      'F=',
      'G="open',
      '1H=x',
      'I=a=b',
      '  J=j\r',
      'no line',
      'K=$(touch /tmp/pwned)',
      '=x',
      '__proto__=p',
    ].join('\n')
    expect(Object.fromEntries(parseDotenv(text))).toEqual(
      Object.fromEntries([
        ['A', '1'],
        ['B', 'two words'],
        ['C', 'x # y'],
        ['D', '$HOME `id`'],
        ['E', 'a\nb'],
        ['F', ''],
        ['G', '"open'],
        ['I', 'a=b'],
        ['J', 'j'],
        ['K', '$(touch /tmp/pwned)'],
        ['__proto__', 'p'],
      ]),
    )
  })
})

describe('what the chain declares', () => {
  test('static values are added, and the later element wins', () => {
    const environment = build(
      { env: { HOME: '/home/ada' } },
      { env_config: { env: { MODE: 'a', CACHE: '${HOME}/c', DEEP: '${NONE:-d}' } } },
      { env_config: { env: { MODE: 'b', COPY: '${CACHE}', N: 5 } } },
    )
    expect(Object.fromEntries(environment.values)).toEqual({
      HOME: '/home/ada',
      CACHE: '/home/ada/c',
      DEEP: 'd',
      MODE: 'b',
      COPY: '/home/ada/c',
      N: '5',
    })
    expect(environment.origins().get('e0')).toEqual(['CACHE', 'DEEP'])
    expect(environment.origins().get('e1')).toEqual(['COPY', 'MODE', 'N'])
  })

  test('a secret comes by name, from the caller before the project’s .env', () => {
    const environment = build(
      { env: { TOKEN: 'mine', OTHER: 'not asked for' }, dotenv: 'TOKEN=theirs\nKEY=k1' },
      { secrets: ['TOKEN', 'KEY'] },
    )
    expect(environment.values.get('TOKEN')).toBe('mine')
    expect([...environment.secrets]).toEqual(['mine', 'k1'])
    expect(environment.values.has('OTHER')).toBe(false)
    expect(environment.origins().get('e0')).toEqual(['KEY', 'TOKEN'])
  })

  test('a program declares its secrets in ENV_CONFIG; a variable called secrets is only a variable', () => {
    const environment = new Environment({ env: { A: 'a-value', B: 'b-value' }, readDotenv: () => null })
    environment.addElement(
      makeTool('e', { secrets: ['A'], env_config: { secrets: ['B'] } }, { extension: '.py' }),
    )
    expect([...environment.secrets]).toEqual(['b-value'])
  })

  test('a missing secret is an error unless it is marked optional', () => {
    expect(() => build({}, { secrets: ['TOKEN'] })).toThrow('secret `TOKEN`, which `e0` declares, is not set')
    expect(build({}, { secrets: ['TOKEN?'] }).values.size).toBe(0)
  })

  test('a secret never comes from a denied name of .env', () => {
    expect(() => build({ dotenv: 'NODE_OPTIONS=x' }, { secrets: ['NODE_OPTIONS'] })).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('is not set'),
        hint: 'set NODE_OPTIONS in the environment of rye',
      }),
    )
  })

  test('no tool gets our own variables', () => {
    expect(() => build({ env: { RYE_SIGNING_KEY: 'x' } }, { secrets: ['RYE_SIGNING_KEY'] })).toThrow(
      '`RYE_SIGNING_KEY` cannot be declared as a secret',
    )
  })

  test.each([
    [{ env_config: 'x' }, '`env_config` must be an object'],
    [{ env_config: { env: ['A=1'] } }, '`env_config.env` must be an object'],
    [{ env_config: { env: { 'A B': 'x' } } }, '`A B` is not a variable name'],
    [{ env_config: { env: { A: {} } } }, '`env_config.env.A` must be a string'],
    [{ env_config: { env: { A: 'a\0b' } } }, 'NUL'],
    [{ env_config: { dotenv: 'A' } }, '`env_config.dotenv` must be a list'],
    [{ env_config: { dotenv: ['A=B'] } }, '`env_config.dotenv` must be a list'],
    [{ secrets: 'TOKEN' }, '`secrets` must be a list'],
    [{ secrets: ['A=B'] }, '`secrets` must be a list'],
    [{ env_config: { env: { A: '${UNDECLARED}' } } }, 'not set or not declared'],
  ])('%j is refused', (metadata, reason) => {
    expect(() => build({}, metadata as JsonObject)).toThrow(reason)
  })
})
