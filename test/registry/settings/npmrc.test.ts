// A `.npmrc` is read as npm reads it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lastOf, parseNpmrc, readNpmVariables } from '../../../src/registry/settings/npmrc.ts'

const read = (text: string, variables = {}) => Object.fromEntries(parseNpmrc(text, variables))

describe('.npmrc', () => {
  it.each<[string, string, object]>([
    ['a key and a value', 'registry=https://npm.test/', { registry: ['https://npm.test/'] }],
    ['blanks around them', '  registry =  https://npm.test/  ', { registry: ['https://npm.test/'] }],
    [
      'a registry of a scope',
      '@team:registry=https://npm.test/',
      { '@team:registry': ['https://npm.test/'] },
    ],
    ['a token by address', '//npm.test/a/:_authToken=t', { '//npm.test/a/:_authToken': ['t'] }],
    ['a value with `=`', '//npm.test/:_auth=dTpw==', { '//npm.test/:_auth': ['dTpw=='] }],
    ['comments', '; a\n# b\nproxy=http://p:1 ; c\n', { proxy: ['http://p:1'] }],
    ['escaped marks of comments', 'a=x\\;y\\#z', { a: ['x;y#z'] }],
    ['quotes', 'a="x # y"\nb=\'z\'', { a: ['x # y'], b: ['z'] }],
    ['lines inside quotes', 'ca="-----BEGIN\\nx"', { ca: ['-----BEGIN\nx'] }],
    ['lists', 'ca[]="one"\nca[]="two"', { ca: ['one', 'two'] }],
    ['a key alone', 'strict', { strict: ['true'] }],
    ['nothing after a section', 'a=1\n[other]\nb=2', { a: ['1'] }],
    ['a byte order mark and other line ends', '\uFEFFa=1\r\nb=2\r', { a: ['1'], b: ['2'] }],
  ])('has %s', (_, text, settings) => {
    expect(read(text)).toEqual(settings)
  })

  it('puts variables in, but not those that are missing', () => {
    const text = `//npm.test/:_authToken=$\{TOKEN}\na=$\{NONE}\nb=x$\{NONE?}y\nc=\\$\{TOKEN}\n$\{KEY}=v`
    expect(read(text, { TOKEN: 't', KEY: 'k' })).toEqual({
      '//npm.test/:_authToken': ['t'],
      a: [`$\{NONE}`],
      b: ['xy'],
      c: [`$\{TOKEN}`],
      k: ['v'],
    })
  })

  it('puts in no variable that every object has', () => {
    expect(read(`a=$\{constructor}\nb=x$\{toString?}y`)).toEqual({ a: [`$\{constructor}`], b: ['xy'] })
  })

  it('counts the last value, and none that is empty', () => {
    const settings = parseNpmrc('registry=a\nregistry=b\nproxy=null\ncafile=')
    expect([lastOf(settings, 'registry'), lastOf(settings, 'proxy'), lastOf(settings, 'cafile')]).toEqual([
      'b',
      undefined,
      undefined,
    ])
  })

  it('is never too odd to be read', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(parseNpmrc(text, { A: 'b' })).toBeInstanceOf(Map)
      }),
    )
  })

  it('has variables before files', () => {
    const found = readNpmVariables({
      npm_config_registry: 'r',
      NPM_CONFIG_HTTPS_PROXY: 'p',
      other: 'x',
      npm_config_: 'y',
    })
    expect(Object.fromEntries(found)).toEqual({ registry: ['r'], 'https-proxy': ['p'] })
  })
})
