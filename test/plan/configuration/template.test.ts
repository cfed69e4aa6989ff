// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these placeholders are what is tested
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AppError } from '../../../src/base/app-error.ts'
import { expandText, expandValue } from '../../../src/plan/configuration/template.ts'
import { scopeOf } from '../template-scope.ts'

describe('texts', () => {
  test.each([
    ['${HOME}/x', '/home/ada/x'],
    ['${NONE:-y}', 'y'],
    ['${NONE:-}', ''],
    ['${EMPTY}', ''],
    ['${EMPTY:-y}', 'y'],
    ['{project_path}/{name}', '/srv/app/ada'],
    ['{unknown} {} {a b} {1} }{', '{unknown} {} {a b} {1} }{'],
    ['{"json": "{name}"}', '{"json": "ada"}'],
    ['{{name}}', '{ada}'],
    ['$HOME $(x) `y`', '$HOME $(x) `y`'],
    ['{constructor} {__proto__}', '{constructor} {__proto__}'],
    ['n={count} l={list}', 'n=3 l=[1]'],
    ['[{gone}]', '[]'],
  ])('%s becomes %s', (text, expected) => {
    expect(expandText(text, scopeOf({ name: 'ada', count: 3, list: [1] }, ['gone']))).toBe(expected)
  })

  test('a variable that is not set is an error, not an empty text', () => {
    expect(() => expandText('Bearer ${TOKEN}', scopeOf({}))).toThrow(
      '`${TOKEN}` names a variable that is not set',
    )
  })

  test('what helps depends on whose variable it is', () => {
    const hintOf = (text: string) => {
      try {
        expandText(text, scopeOf({}))
      } catch (thrown) {
        return (thrown as AppError).hint
      }
      return undefined
    }
    expect(hintOf('${TOKEN}')).toBe(
      'declare it under `secrets: [TOKEN]` and set it, or write `${TOKEN:-default}`',
    )
    expect(hintOf('${RYE_RUBY}')).toBe(
      'name it in `env_config.interpreter.var`, or write `${RYE_RUBY:-default}`',
    )
  })

  test('our own names win over a parameter of the same name', () => {
    expect(expandText('{project_path}', scopeOf({ project_path: '/etc' }))).toBe('/srv/app')
  })
})

describe('values', () => {
  test('a whole `{name}` keeps its type', () => {
    const scope = scopeOf({ n: 3, o: { a: [null] }, z: null, s: '' })
    expect(expandValue({ n: '{n}', o: '{o}', z: '{z}', s: '{s}', t: 'n{n}' }, scope)).toEqual({
      n: 3,
      o: { a: [null] },
      z: null,
      s: '',
      t: 'n3',
    })
  })

  test('an absent parameter takes its member with it', () => {
    expect(expandValue({ a: '{gone}', b: ['{gone}', 'x'], c: 5 }, scopeOf({}, ['gone']))).toEqual({
      b: ['x'],
      c: 5,
    })
  })

  test('keys are not expanded', () => {
    expect(expandValue({ '{n}': 1 }, scopeOf({ n: 'x' }))).toEqual({ '{n}': 1 })
  })
})

describe('properties', () => {
  test('whatever a caller writes arrives as it was written', () => {
    const hostile = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '${HOME}',
        '{project_path}',
        '{a}',
        '{params_json}',
        '${HOME:-x}',
        '$$',
        '{',
        '}',
        '$&',
        "$'",
      ),
    )
    fc.assert(
      fc.property(hostile, hostile, (a, b) => {
        const scope = scopeOf({ a, b })
        expect(expandText('<{a}|{b}>', scope)).toBe(`<${a}|${b}>`)
        expect(expandValue('{a}', scope)).toBe(a)
        expect(JSON.parse(expandText('{params_json}', scope))).toEqual({ a, b })
      }),
    )
  })

  test('a text without marks is left alone', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        fc.pre(!/[{$]/.test(text))
        expect(expandText(text, scopeOf({ a: 'x' }))).toBe(text)
      }),
    )
  })

  test('a long text of openings is read in linear time', () => {
    const text = '${A:-{a${'.repeat(50_000)
    expect(expandText(text, scopeOf({}))).toBe(text)
  })
})
