// Which registry a call talks to, with which credentials, and who may choose it.
import { describe, expect, it } from 'vitest'
import { chooseRegistry, type RegistrySettings } from '../../../src/registry/settings/choose-registry.ts'
import { parseNpmrc } from '../../../src/registry/settings/npmrc.ts'
import { findProxy } from '../../../src/registry/settings/proxy.ts'

const PUBLIC = 'https://registry.npmjs.org/'
const NONE: RegistrySettings = {
  signed: { allowPrivate: false },
  own: [],
  project: new Map(),
  token: 'environment-token',
}
const user = (text: string) => ({ ...NONE, own: [new Map(), parseNpmrc(text), new Map()] })
const choose = (settings: RegistrySettings, request: object = {}) => {
  const { url, credentials, ...rest } = chooseRegistry(settings, { caller: 'person', ...request })
  return { url: url.href, authorization: credentials?.authorization, below: credentials?.below.href, ...rest }
}

describe('the registry', () => {
  it('is the public one, with the token of the environment', () => {
    expect(choose(NONE)).toEqual({
      url: PUBLIC,
      authorization: 'Bearer environment-token',
      below: PUBLIC,
      allowPrivate: false,
      isConfigured: true,
    })
  })

  it('is that of the scope, then the general one, each with its own token', () => {
    const settings = user(`
      registry=https://npm.test/main
      @team:registry=http://10.0.0.5:4873/team/
      //npm.test/:_authToken=main
      //10.0.0.5:4873/:_authToken=host
      //10.0.0.5:4873/team/:_authToken=team`)
    expect(choose(settings, { package: '@team/x' })).toMatchObject({
      url: 'http://10.0.0.5:4873/team/',
      authorization: 'Bearer team',
      below: 'http://10.0.0.5:4873/team/',
      allowPrivate: true,
    })
    expect(choose(settings, { package: '@other/x' })).toMatchObject({
      url: 'https://npm.test/main/',
      authorization: 'Bearer main',
      below: 'https://npm.test/',
    })
  })

  it('gets a name and a password, where npm keeps those', () => {
    const pair = Buffer.from('ann:secret').toString('base64')
    const password = Buffer.from('secret').toString('base64')
    for (const text of [
      `//npm.test/:_auth=${pair}`,
      `//npm.test/:username=ann\n//npm.test/:_password=${password}`,
    ]) {
      const settings = user(`registry=https://npm.test/\n${text}`)
      expect(choose(settings).authorization, text).toBe(`Basic ${pair}`)
    }
  })

  it('never gets the token of the environment for a scope, or for a place that somebody else names', () => {
    const settings = {
      ...user('@team:registry=https://npm.test/'),
      project: parseNpmrc('registry=https://evil.test/'),
    }
    expect(choose(settings, { package: '@team/x' }).authorization).toBeUndefined()
    expect(choose(settings)).toMatchObject({
      url: 'https://evil.test/',
      authorization: undefined,
      isConfigured: false,
    })
    expect(choose(NONE, { registry: 'https://evil.test/' })).toMatchObject({
      authorization: undefined,
      isConfigured: false,
    })
  })

  it('does not get a token that is a variable without a value', () => {
    const settings = user(`registry=https://npm.test/\n//npm.test/:_authToken=$\{NOT_SET}`)
    expect(choose({ ...settings, token: undefined }).authorization).toBeUndefined()
  })

  it('is that of signed settings before all others', () => {
    const settings = { ...user('registry=https://npm.test/\n@team:registry=https://team.test/') }
    const signed = { registry: 'http://127.0.0.1:4873', allowPrivate: true }
    expect(choose({ ...settings, signed }, { package: '@team/x' })).toMatchObject({
      url: 'http://127.0.0.1:4873/',
      authorization: 'Bearer environment-token',
      allowPrivate: true,
    })
  })

  it('that an agent names must be one that the user names', () => {
    const settings = user('@team:registry=http://10.0.0.5/')
    const asked = (registry: string) => () => choose(settings, { registry, caller: 'agent' })
    expect(asked('https://evil.test/')).toThrow('is not a registry that the user names')
    expect(asked('http://169.254.169.254/')).toThrow('begins with https://')
    expect(asked('http://10.0.0.5/')()).toMatchObject({ url: 'http://10.0.0.5/' })
    expect(asked(PUBLIC)()).toMatchObject({ url: PUBLIC })
    const written = { ...NONE, project: parseNpmrc('registry=https://evil.test/') }
    expect(() => choose(written, { caller: 'agent' })).toThrow('is not a registry that the user names')
  })

  it('that a project names in place of the one of the user is not configured, also if it is the public one', () => {
    const settings = {
      ...user('@corp:registry=https://npm.corp/'),
      project: parseNpmrc(`@corp:registry=${PUBLIC}`),
    }
    expect(choose(settings, { package: '@corp/x' })).toMatchObject({ url: PUBLIC, isConfigured: false })
    expect(() => choose(settings, { package: '@corp/x', caller: 'agent' })).toThrow(
      'not a registry that the user names',
    )
    const without = { ...NONE, project: parseNpmrc(`@corp:registry=${PUBLIC}`) }
    expect(choose(without, { package: '@corp/x' })).toMatchObject({ url: PUBLIC, isConfigured: true })
    expect(choose(settings, { package: '@corp/x', registry: PUBLIC })).toMatchObject({ isConfigured: true })
    const general = { ...user('registry=https://npm.corp/'), project: parseNpmrc(`registry=${PUBLIC}`) }
    expect(choose(general, { package: 'x' })).toMatchObject({ url: PUBLIC, isConfigured: false })
    const explicit = user(`registry=${PUBLIC}\n@corp:registry=https://npm.corp/`)
    const other = { ...explicit, project: parseNpmrc(`@corp:registry=${PUBLIC}`) }
    expect(choose(other, { package: '@corp/x' })).toMatchObject({ url: PUBLIC, isConfigured: false })
    expect(choose(explicit, { package: '@corp/x' })).toMatchObject({ isConfigured: true })
  })

  it('that a project names may be private only if the user names it, too', () => {
    const project = parseNpmrc('registry=http://10.0.0.5/')
    expect(() => choose({ ...NONE, project })).toThrow('begins with https://')
    expect(choose({ ...user('registry=http://10.0.0.5/'), project })).toMatchObject({ allowPrivate: true })
  })

  it.each([
    'ftp://npm.test/',
    'file:///etc/passwd',
    'npm.test',
    'https://u:p@npm.test/',
    'https://npm.test/a/../b/',
    'https://npm.test/%2e%2e/',
    'https://npm.test/%252e/',
    'https://npm.test/..;/',
    'https://npm.test/\\..\\',
    'https://npm.test/?a',
    'https://npm.test/ a',
    'https://npm.test/\u00e9',
  ])('is not %s', registry => {
    expect(() => choose(NONE, { registry })).toThrow(/expected|must not/)
  })
})

describe('the proxy', () => {
  const proxyOf = (url: string, text: string, variables = {}) =>
    findProxy(new URL(url), { layers: [parseNpmrc(text)], variables })?.href
  it('is that of .npmrc, then that of the variables', () => {
    expect(proxyOf('https://a.test/', 'https-proxy=http://p:1')).toBe('http://p:1/')
    expect(proxyOf('https://a.test/', 'proxy=http://p:1', { HTTPS_PROXY: 'http://q:1' })).toBe('http://p:1/')
    expect(proxyOf('https://a.test/', '', { https_proxy: 'q:1' })).toBe('http://q:1/')
    expect(proxyOf('http://a.test/', '', { HTTPS_PROXY: 'http://q:1' })).toBeUndefined()
    expect(proxyOf('https://a.test/', 'https-proxy=false', { HTTPS_PROXY: 'q:1' })).toBeUndefined()
    expect(proxyOf('https://a.test/', 'https-proxy=socks://q:1')).toBeUndefined()
  })

  it('is left out for hosts that say so', () => {
    for (const list of ['a.test', '.a.test', 'b.test, a.test', '*'])
      expect(proxyOf('https://x.a.test/', `https-proxy=http://p:1\nnoproxy="${list}"`), list).toBeUndefined()
    expect(proxyOf('https://xa.test/', 'https-proxy=http://p:1', { NO_PROXY: 'a.test' })).toBe('http://p:1/')
  })
})
