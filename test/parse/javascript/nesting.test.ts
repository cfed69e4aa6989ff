import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { javascript } from '../../../src/parse/javascript/javascript.ts'
import { findRefusal, measureNesting } from '../../../src/parse/javascript/nesting.ts'

/** What opens a substitution in a template. */
const HOLE = ['$', '{'].join('')

const nest = (open: string, inside: string, close: string) => (levels: number) =>
  `x = ${open.repeat(levels)}${inside}${close.repeat(levels)}`

/** Everything that makes a parser recurse, one level per repetition. */
const CONSTRUCTS: Record<string, (levels: number) => string> = {
  parentheses: nest('(', '1', ')'),
  arrays: nest('[', '1', ']'),
  objects: nest('{a:', '1', '}'),
  calls: nest('f(', '', ')'),
  templates: nest(`\`${HOLE}`, '1', '}`'),
  arrows: nest('a=>', '1', ''),
  'arrow blocks': nest('()=>{', '', '}'),
  conditions: nest('1?1:', '1', ''),
  assignments: nest('a=', '1', ''),
  negations: nest('!', '1', ''),
  sums: nest('1+', '1', ''),
  powers: nest('1**', '1', ''),
  members: nest('', 'a', '.a'),
  'optional members': nest('', 'a', '?.a'),
  'escaped names': nest('\\u{61}a=>', '1', ''),
  'named like keywords': nest('', 'a', '.return'),
  'calls of calls': nest('', 'f', '()'),
  'calls of members': nest('', 'f', '.a()'),
  'optional calls': nest('', 'f', '?.()'),
  indexes: nest('', 'a', '[0]'),
  'tagged templates': nest('', 'a', '``'),
  'tagged templates with substitutions': nest('', 'a', `\`${HOLE}1}\``),
  'templates after templates': nest('', '', '`a`'),
  'calls of functions': nest('', 'function(){}', '()'),
  'indexes of objects': nest('', '{}', '[0]'),
  'calls with type arguments': nest('', 'f', '<A>()'),
  assurances: nest('', 'a', '!'),
  constructors: nest('new ', 'a', ''),
  'type assertions': nest('', '1', ' as const'),
  'regular expressions with flags': nest('/a/g?a=>', '1', ':1'),
  'spread awaits': nest('[...await /"/, ', '1', ']'),
  ifs: levels => `${'if(1)'.repeat(levels)}x`,
  'else ifs': levels => `${'if(1);else '.repeat(levels)}x`,
  'else ifs on lines': levels => `${'if(1) a\nelse '.repeat(levels)}x`,
  labels: levels => `${'a:'.repeat(levels)}x`,
  loops: levels => `${'for(;;)'.repeat(levels)}x`,
  dos: levels => `${'do '.repeat(levels)}x${';while(1)'.repeat(levels)}`,
  blocks: levels => `${'{'.repeat(levels)}${'}'.repeat(levels)}`,
  classes: levels => `${'class A{x='.repeat(levels)}1${'}'.repeat(levels)}`,
  'class heritage': levels => `${'class A extends '.repeat(levels)}B${'{}'.repeat(levels)}`,
  decorators: levels => '@a('.repeat(levels),
  patterns: levels => `let ${'['.repeat(levels)}a${']'.repeat(levels)}=1`,
  'type arguments': levels => `let x:${'A<'.repeat(levels)}A${'>'.repeat(levels)}`,
  'type arguments after commas': levels => `let x:${'A<B,'.repeat(levels)}A${'>'.repeat(levels)}`,
  'tuple types': levels => `type x=${'['.repeat(levels)}A${']'.repeat(levels)}`,
  'array types': levels => `type x=A${'[]'.repeat(levels)}`,
  'array types of tuples': levels => `type x=[]${'[]'.repeat(levels)}`,
  'type operators': levels => `type x=${'keyof '.repeat(levels)}A`,
  'conditional types': levels => `type x=${'A extends B?C:'.repeat(levels)}A`,
  'function types': levels => `type x=${'(a:A)=>'.repeat(levels)}A`,
  'brackets behind a quote in a regular expression': levels => 'f(a) /[(]"/.test(b), ['.repeat(levels),
  'brackets behind a division': levels => 'x = a / "/" + ['.repeat(levels),
  'brackets closed in a comment of a script': levels => '( <!-- )\n'.repeat(levels),
  'brackets closed after a separator in a comment': levels => '// \u2028( // )\n'.repeat(levels),
  'brackets closed in strings': levels => '( ")" + '.repeat(levels),
  'brackets closed in regular expressions': levels => '( /)/ + '.repeat(levels),
  'brackets closed in templates': levels => '( `)` + '.repeat(levels),
  'brackets opened on lines of doubt': levels => '(a) / [[\n1]]\n;(('.repeat(levels),
  'odd blanks before a slash': levels => '(a\u00a0/ ")" / ['.repeat(levels),
}

describe.each(Object.entries(CONSTRUCTS))('%s', (_, construct) => {
  // A text that gets past the measure and overflows the native stack would end this process.
  it.each([900, 3_000, 20_000])('are parsed or refused at %i levels', async levels => {
    for (const extension of ['.ts', '.cjs']) {
      const text = construct(levels)
      const { metadata } = await javascript.parse({ text, extension })
      expect(Object.getPrototypeOf(metadata)).toBeNull()
    }
  })

  it('are refused at 20 000 levels', () => {
    expect(findRefusal(construct(20_000))?.code).toBe('javascript-too-deep')
  })
})

describe('the native parser copies a line for each mistake in it', () => {
  it.each([
    ['escapes of names', '\\"'.repeat(500_000)],
    ['escapes in a string', `x = "${'\\x'.repeat(400_000)}"`],
    ['escapes in a template', `x = \`${'\\u\n'.repeat(300_000)}\``],
    ['numbers', `x = [${'1_,'.repeat(60_000)}]`],
    ['numbers behind a long comment', `/*${' '.repeat(900_000)}*/ x = [${'1_,'.repeat(3_000)}]`],
    ['a slash of doubt behind a long comment', `/*${' '.repeat(900_000)}*/ (a) / ${'1_,'.repeat(3_000)}`],
  ])('%s are refused', (_, text) => {
    expect(findRefusal(text)?.code).toBe('javascript-too-large')
  })

  it.each([
    ['a long text', `export const LOGO = "${'iVBORw0KGgo+/'.repeat(50_000)}"`],
    ['a minified program', `export const a = [${'f(x),'.repeat(2_500)}]`],
    ['many lines', 'const a = f(x, "\\n")\n'.repeat(15_000)],
  ])('%s is read', (_, text) => {
    expect(findRefusal(text)).toBeUndefined()
  })
})

describe('the measure of nesting', () => {
  /** A nested program of known depth, made of pieces that quote and comment brackets. */
  const piece = fc.constantFrom(
    '")"',
    "'}'",
    '`]`',
    '/[)]"/',
    '/* ) */ 1',
    '1 // )\n',
    'a / b / c',
    `\`${HOLE} ")" }]\``,
    '/\\/)/g',
    '(1) / 2',
    'a++ / 1',
    'f`)`',
    '{}\n',
    'typeof /)/',
    '"\\")"',
    '(a) /)/ 2\n',
  )
  const level = fc.tuple(fc.constantFrom('()', '[]', '{}'), piece, piece)

  it('never counts fewer levels than there are', () => {
    fc.assert(
      fc.property(fc.array(level, { maxLength: 60 }), levels => {
        const opened = levels.map(([brackets, before]) => `${before}, ${brackets[0]} `).join('')
        const closed = levels.map(([brackets, , after]) => `, ${after} ${brackets[1]}`).reverse()
        expect(measureNesting(`x = ${opened}1${closed.join('')}`)).toBeGreaterThanOrEqual(levels.length)
      }),
    )
  })

  it('does not grow with the length of an ordinary file', () => {
    const statements = [
      'export const a = b ? c : d\n',
      `const f = (x) => /["\`]/.test(x) ? \`${HOLE}x / 2}px\` : x / 2\n`,
      'if (a) { b() } else { c() }\n',
      'module.exports.a = require("a");\n',
      'function f<T>(a: T): T { return a! }\n',
      'foo(a).bar = { a: 1, b: [2, 3], ...c }\n',
      'switch (a) { case 1: return b; default: throw c }\n',
    ].join('')
    expect(measureNesting(statements.repeat(100))).toBeLessThan(200)
  })
})
