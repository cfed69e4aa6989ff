// Which hosts a tool may name, and what a host pattern covers.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  canonicalHost,
  expandSettings,
  parseHostRule,
  printHostRule,
  reachOf,
  readNetwork,
} from '../../../src/plan/network/hosts.ts'

const hostsOf = (declared: unknown) => {
  const read = readNetwork(declared)
  return 'hosts' in read ? read.hosts : read.fault
}
const rules = (...entries: string[]) => entries.map(entry => parseHostRule(entry)!)
const reach = (entries: readonly string[], host: string, port = 443) => {
  const canonical = canonicalHost(host)
  return canonical === undefined ? undefined : reachOf(rules(...entries), canonical, port)
}

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/)
const name = fc.array(label, { minLength: 2, maxLength: 4 }).map(labels => labels.join('.'))

describe('permissions.network', () => {
  it.each([
    [undefined, []],
    [null, []],
    [false, []],
    [[], []],
    [true, ['*']],
    [['*'], ['*']],
    [['*:*'], ['*:*']],
    [['API.Example.com', 'api.example.com.', 'api.example.com'], ['api.example.com']],
    [['*.Example.org:8443'], ['*.example.org:8443']],
    [['bücher.example'], ['xn--bcher-kva.example']],
    [['localhost:3000', '127.0.0.1:3000', '[::1]:3000', '[0:0::1]:3000'], ['localhost:3000']],
    [
      ['10.0.0.5:8080', '[fd00::5]:*'],
      ['10.0.0.5:8080', '[fd00::5]:*'],
    ],
    [['private:registry.corp:4873'], ['private:registry.corp:4873']],
    [['{resolved_config.registry}'], ['{resolved_config.registry}']],
  ])('%j is %j', (declared, hosts) => {
    expect(hostsOf(declared)).toEqual(hosts)
  })

  it.each([
    ['yes', '`permissions.network` must be false or a list of hosts'],
    [{ hosts: [] }, '`permissions.network` must be false or a list of hosts'],
    [['a.example', 7], '`permissions.network[1]`: expected a host such as `api.example.com`'],
    [['https://a.example/'], '`permissions.network[0]`: expected a host without `https://` or a path'],
    [['a.example/x'], '`permissions.network[0]`: expected a host such as'],
    [[''], '`permissions.network[0]`: expected a host such as'],
    [['a b'], '`permissions.network[0]`: expected a host such as'],
    [['a..b'], '`permissions.network[0]`: expected a host such as'],
    [['u@a.example'], '`permissions.network[0]`: expected a host such as'],
    [['a%2eexample'], '`permissions.network[0]`: expected a host such as'],
    [['a.example:0'], '`permissions.network[0]`: expected a host such as'],
    [['a.example:65536'], '`permissions.network[0]`: expected a host such as'],
    [['a.example:'], '`permissions.network[0]`: expected a host such as'],
    [['a*.example'], '`permissions.network[0]`: expected a host such as'],
    [['*.*.example'], '`permissions.network[0]`: expected a host such as'],
    [['private:*'], '`permissions.network[0]`: expected a host such as'],
    [['private:10.0.0.5'], '`permissions.network[0]`: expected a host such as'],
    [['private:localhost:3000'], '`permissions.network[0]`: expected a host such as'],
    // Spellings of an address that nobody recognises.
    [['2130706433'], '`permissions.network[0]`: expected a host such as'],
    [['0x7f.1'], '`permissions.network[0]`: expected a host such as'],
    [['0177.0.0.1'], '`permissions.network[0]`: expected a host such as'],
    [['127.1'], '`permissions.network[0]`: expected a host such as'],
    [['*.0.0.1'], '`permissions.network[0]`: expected a host such as'],
    [['::1'], '`permissions.network[0]`: expected a host such as'],
    [['localhost'], '`permissions.network[0]`: `localhost` needs a port of 1024 or above'],
    [['localhost:80'], '`permissions.network[0]`: `localhost:80` needs a port of 1024 or above'],
    [['localhost:*'], '`permissions.network[0]`: `localhost:*` needs a port of 1024 or above'],
    [['{params.host}'], '`permissions.network[0]`: expected a host such as'],
    [Array.from({ length: 101 }, (_, at) => `h${at}.example`), 'expected at most 100 hosts, got 101'],
  ])('%j is refused, with the place', (declared, fault) => {
    expect(hostsOf(declared)).toContain(fault)
  })

  it('any text is a rule that prints as itself, or none', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          name,
          name.map(host => `*.${host}:8443`),
        ),
        text => {
          const rule = parseHostRule(text)
          if (rule !== undefined) expect(parseHostRule(printHostRule(rule))).toEqual(rule)
        },
      ),
    )
  })
})

describe('what a rule covers', () => {
  it('a host without a port means 80 and 443, `:*` all', () => {
    expect([80, 443, 8443, 22].map(port => reach(['a.example'], 'a.example', port))).toEqual([
      'public',
      'public',
      undefined,
      undefined,
    ])
    expect(reach(['a.example:8443'], 'a.example', 443)).toBeUndefined()
    expect(reach(['a.example:*'], 'a.example', 1)).toBe('public')
  })

  it('a name covers itself and nothing that only looks like it', () => {
    fc.assert(
      fc.property(name, label, (host, other) => {
        for (const same of [host, host.toUpperCase(), `${host}.`]) expect(reach([host], same)).toBe('public')
        for (const foreign of [`${other}${host}`, `${host}${other}`, `${host}.${other}`, `${other}.${host}`])
          expect(reach([host], foreign)).toBeUndefined()
      }),
    )
  })

  it('`*.` covers names below, not the name itself, and no suffix that is part of a label', () => {
    fc.assert(
      fc.property(name, label, label, (host, first, second) => {
        for (const below of [`${first}.${host}`, `${second}.${first}.${host}.`.toUpperCase()])
          expect(reach([`*.${host}`], below)).toBe('public')
        for (const foreign of [
          host,
          `${first}${host}`,
          `${first}.${host}.${second}`,
          `${first}.${host}${second}`,
        ])
          expect(reach([`*.${host}`], foreign)).toBeUndefined()
      }),
    )
  })

  it('`*` covers everything, but only on the public internet', () => {
    expect(reach(['*'], 'a.example')).toBe('public')
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254', '10.0.0.1'])
      expect(reach(['*:*'], host)).toBe('public')
  })

  it('an address covers all of its spellings, and no name', () => {
    for (const same of ['10.0.0.5', '167772165', '0xa000005', '012.0.0.5', '10.5', '10.0.0.5.'])
      expect(reach(['10.0.0.5'], same)).toBe('named')
    expect(reach(['[fd00::5]'], '[fd00:0:0::0005]')).toBe('named')
    for (const other of ['10.0.0.50', '110.0.0.5', 'a.10.0.0.5', '[::ffff:10.0.0.5]', '10.0.0.5.example'])
      expect(reach(['10.0.0.5'], other)).toBeUndefined()
  })

  it('this machine is reached by its own names, on its port', () => {
    for (const host of ['localhost', 'LOCALHOST.', '127.0.0.1', '[::1]', '2130706433'])
      expect(reach(['localhost:3000'], host, 3000)).toBe('named')
    for (const host of ['127.0.0.2', 'a.localhost', 'localhost.example', '[::ffff:127.0.0.1]'])
      expect(reach(['localhost:3000'], host, 3000)).toBeUndefined()
    expect(reach(['localhost:3000'], 'localhost', 3001)).toBeUndefined()
  })

  it('the widest of several rules counts', () => {
    expect(reach(['*', 'private:git.corp'], 'git.corp')).toBe('private')
    expect(reach(['10.0.0.5', '*'], '10.0.0.5')).toBe('named')
  })

  it.each([
    '',
    ' ',
    'a b',
    'a/b',
    'a?b',
    'a#b',
    'a@b',
    'a\\b',
    'a%00b',
    'a%2eb',
    '[::1',
    '[::1%25lo]',
    'a\tb',
    'a\0b',
  ])('%j is no host', text => {
    expect(canonicalHost(text)).toBeUndefined()
  })
})

describe('hosts of settings', () => {
  const expand = (settings: unknown) =>
    expandSettings(['*', '{resolved_config.registry}'], { resolved_config: settings })

  it.each([
    [{ registry: 'https://npm.example/x' }, ['*', 'npm.example:443']],
    [{ registry: 'http://npm.corp:4873/', allow_private: true }, ['*', 'private:npm.corp:4873']],
    [{ registry: 'http://127.0.0.1:4873/', allow_private: true }, ['*', 'localhost:4873']],
    [{ registry: 'http://10.0.0.5/', allow_private: true }, ['*', '10.0.0.5:80']],
    [{ registry: 'http://10.0.0.5/' }, ['*']],
    [{ registry: 'http://10.0.0.5/', allow_private: 'true' }, ['*']],
    [{ registry: 'http://*/', allow_private: true }, ['*']],
    [{ registry: 'http://*.corp/', allow_private: true }, ['*']],
    [{ registry: 'file:///etc', allow_private: true }, ['*']],
    [{ registry: 'nonsense' }, ['*']],
    [{}, ['*']],
    [null, ['*']],
  ])('%j names %j', (settings, hosts) => {
    expect(expand(settings)).toEqual(hosts)
  })

  it('nothing is read but own properties', () => {
    expect(expandSettings(['{resolved_config.constructor.name}'], { resolved_config: {} })).toEqual([])
  })
})
