import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addMember } from '../../../src/actions/setup/init/edit-json.ts'
import type { JsonValue } from '../../../src/base/json.ts'

const RYE = { command: 'x' }
const add = (text: string) => addMember(text, ['servers', 'rye'], RYE)

describe('a member is added', () => {
  it.each([
    ['{}', '{\n  "servers": {\n    "rye": {\n      "command": "x"\n    }\n  }\n}'],
    ['', '{\n  "servers": {\n    "rye": {\n      "command": "x"\n    }\n  }\n}\n'],
    [
      '// only this\n',
      '// only this\n{\n  "servers": {\n    "rye": {\n      "command": "x"\n    }\n  }\n}\n',
    ],
    ['{"a":1}', '{"a":1, "servers": {"rye":{"command":"x"}}}'],
    ['{"servers":{"git":{}}}', '{"servers":{"git":{}, "rye": {"command":"x"}}}'],
    [
      '{\n    "servers": {\n        "git": {} // mine\n    }\n}\n',
      '{\n    "servers": {\n        "git": {}, // mine\n        "rye": {\n            "command": "x"\n        }\n    }\n}\n',
    ],
    [
      '{\n\t"servers": {\n\t\t"git": {}, /* a */ // b\n\t\t// c\n\t},\n}',
      '{\n\t"servers": {\n\t\t"git": {}, /* a */ // b\n\t\t"rye": {\n\t\t\t"command": "x"\n\t\t},\n\t\t// c\n\t},\n}',
    ],
    [
      '{\n  "servers": {\n    // none yet\n  }\n}',
      '{\n  "servers": {\n    // none yet\n    "rye": {\n      "command": "x"\n    }\n  }\n}',
    ],
    [
      '{\r\n  "a": 1\r\n}\r\n',
      '{\r\n  "a": 1,\r\n  "servers": {\r\n    "rye": {\r\n      "command": "x"\r\n    }\r\n  }\r\n}\r\n',
    ],
    ['\ufeff{"a": "// no comment"}', '\ufeff{"a": "// no comment", "servers": {"rye":{"command":"x"}}}'],
    ['{"a": 1, }', '{"a": 1, "servers": {"rye":{"command":"x"}}, }'],
  ])('to %j', (text, expected) => {
    expect(add(text)).toEqual({ text: expected })
  })

  it.each(['{"servers": {"rye": 1}}', '{"servers": {"\\u0072ye": {}}}'])('but not to %s', text => {
    expect(add(text)).toEqual({ present: true })
  })

  it.each([
    ['[]', 'expected an object in the file'],
    ['1', 'expected an object in the file'],
    ['{"servers": []}', 'expected an object in `servers`'],
    ['{"servers": {}, "servers": {}}', '`servers` is there twice'],
    ['{"a": 1 "b": 2}', 'line 1, column 9: expected `,` or `}`'],
    ['{\n  a: 1}', 'line 2, column 3: expected a key in double quotes'],
    ['{"a": tru}', 'line 1, column 7: expected a value'],
    ['{"a": 01}', 'line 1, column 7: expected a value'],
    ['{"a": "x\n"}', 'line 1, column 7: expected a string in double quotes'],
    ['{"a": "x', 'line 1, column 7: expected a string in double quotes'],
    ['{,}', 'line 1, column 2: expected a key in double quotes'],
    ['[1 2]', 'line 1, column 4: expected `,` or `]`'],
    ['{} {}', 'line 1, column 4: expected the end of the file'],
    ['{ /* open', 'line 1, column 3: expected a key in double quotes'],
    ['[,]', 'line 1, column 2: expected a value'],
    [`${'['.repeat(500)}`, 'line 1, column 102: expected at most 100 levels'],
  ])('nor to %s', (text, problem) => {
    expect(add(text)).toEqual({ problem })
  })
})

const comment = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\t',
  ' // note\n',
  '/* note */',
  '\n  // "servers": {\n',
  '/*\n*/',
)
const scalar = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
)
const json = fc.letrec<{ value: JsonValue; object: JsonValue }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('servers', 'git')), tie('value'), {
    maxKeys: 4,
    noNullPrototype: true,
  }),
}))

/** The value as somebody could have typed it, with a gap wherever one may be. */
function typed(value: JsonValue, gaps: () => string, trailing: () => boolean): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const parts = Array.isArray(value)
    ? value.map(entry => typed(entry, gaps, trailing))
    : Object.entries(value).map(
        ([key, entry]) => `${JSON.stringify(key)}${gaps()}:${gaps()}${typed(entry, gaps, trailing)}`,
      )
  const comma = parts.length > 0 && trailing() ? `,${gaps()}` : ''
  const inner = parts.map(part => `${gaps()}${part}${gaps()}`).join(',') + comma + gaps()
  return Array.isArray(value) ? `[${inner}]` : `{${inner}}`
}

/** What a client reads, by an independent way: strings first, then comments and trailing commas are dropped. */
function read(text: string): unknown {
  const bare = text.replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '$1')
  return JSON.parse(bare.replace(/("(?:[^"\\]|\\.)*")|,(\s*[}\]])/g, (_all, quoted, end) => quoted ?? end))
}

const document = fc
  .tuple(json.object, fc.infiniteStream(comment), fc.infiniteStream(fc.boolean()))
  .map(([value, gaps, commas]) => ({
    // JSON has no negative zero.
    value: JSON.parse(JSON.stringify(value)) as JsonValue,
    text: typed(
      value,
      () => gaps.next().value!,
      () => commas.next().value!,
    ),
  }))

describe('whatever the file', () => {
  it('it means the same afterwards, with the member added, and has lost no character', () => {
    fc.assert(
      fc.property(document, ({ value, text }) => {
        const edited = add(text)
        const before = value as Record<string, JsonValue>
        const servers = Object.hasOwn(before, 'servers') ? before.servers : {}
        if (typeof servers !== 'object' || servers === null || Array.isArray(servers)) {
          expect(edited).toEqual({ problem: 'expected an object in `servers`' })
          return
        }
        expect(edited).toHaveProperty('text')
        const after = 'text' in edited ? edited.text : ''
        expect(read(after)).toEqual({ ...before, servers: { ...servers, rye: RYE } })
        expect(isSubsequence(text, after)).toBe(true)
        expect(add(after)).toEqual({ present: true })
      }),
    )
  })

  it('any text is edited or refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]:,"\\/*\n a1') }), text => {
        const edited = add(text)
        if ('text' in edited) expect(read(edited.text)).toHaveProperty('servers.rye')
        else expect('problem' in edited).toBe(true)
      }),
    )
  })
})

function isSubsequence(part: string, whole: string): boolean {
  let at = 0
  for (let i = 0; i < whole.length && at < part.length; i++) if (whole[i] === part[at]) at++
  return at === part.length
}
