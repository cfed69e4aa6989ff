import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { parse } from '@babel/parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type JavaScriptOptions, parseJavaScript } from '../../../src/parse/javascript/parse-javascript.ts'
import { tries } from '../../fixtures/tries.ts'

const LANGUAGES = ['typescript', 'javascript'] as const
const SOURCE_TYPES = ['module', 'commonjs', 'unambiguous'] as const

const ANSWERS = ['javascript-syntax', 'javascript-too-deep', 'javascript-too-large', undefined]

async function codeOf(text: string, options: Partial<JavaScriptOptions> = {}): Promise<string | undefined> {
  const { failure } = await parseJavaScript(text, {
    language: 'typescript',
    sourceType: 'unambiguous',
    ...options,
  })
  return failure?.code
}

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
  it.each(LANGUAGES)('are read at 100 levels, if they are %s', async language => {
    expect(['javascript-syntax', undefined]).toContain(await codeOf(construct(100), { language }))
  })

  // A text that overflows a native stack, or is read again at each level, would end this process or never end.
  it.each([3_000, 20_000])('are answered at %i levels', async levels => {
    for (const language of LANGUAGES) {
      expect(ANSWERS).toContain(await codeOf(construct(levels), { language }))
    }
  })
})

describe('TypeScript that is read twice at each level', () => {
  it.each([
    ['assertions of parentheses', '<T>(', ')'],
    ['assertions of lists', '<T>[', ']'],
    ['assertions in lists', '[<T>', ']'],
    ['assertions of templates', `<T>\`${HOLE}`, '}`'],
    ['assertions of imports', '<T>import(', ')'],
    ['assertions of calls', '<T>f(', ')'],
  ])('%s are refused at 60 levels', async (_, open, close) => {
    expect(await codeOf(nest(open, '1', close)(60))).toBe('javascript-too-large')
  })

  it('comparisons that could be type arguments are refused before they take long', async () => {
    const line = (levels: number) => `x = ${'a<b<'.repeat(levels)}c\n`
    expect(await codeOf(line(5).repeat(20))).toBe(undefined)
    expect(await codeOf(line(100).repeat(100))).toBe('javascript-too-large')
  })

  it('no short text takes long, whatever it repeats', async () => {
    const fragment = fc.constantFrom(
      ...'( ) < > <T> a ? : => = , [ ] { } async f 1 . ! as ` ... class{ extends new function( infer | & @ await'.split(
        ' ',
      ),
      ...[
        HOLE,
        'type x=',
        'let x:',
        '(a',
        '(a)',
        'a=',
        ';',
        'if(',
        'import(',
        '?.',
        '<T,>',
        'in ',
        'of ',
        'is ',
        '/',
      ],
    )
    const fragments = fc.array(fragment, { maxLength: 4 }).map(parts => parts.join(''))
    await fc.assert(
      fc.asyncProperty(
        fragments,
        fragments,
        fc.constantFrom('', 'x = ', 'type x = '),
        async (open, close, start) => {
          for (const language of LANGUAGES) {
            expect(ANSWERS).toContain(
              await codeOf(`${start}${open.repeat(40)}a${close.repeat(40)}`, { language }),
            )
          }
        },
      ),
      { numRuns: 150 },
    )
  })
})

describe('a text that counts how often it is looked at', () => {
  const folder = fileURLToPath(new URL('../../../src/', import.meta.url))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.ts'),
  )

  it('is read as any other: our own sources', async () => {
    expect(files.length).toBeGreaterThan(100)
    const some = files.filter((_, number) => number % tries({ usual: 8, torture: 1 }) === 0)
    for (const name of some) await expectSame(readFileSync(join(folder, name), 'utf8'))
  })

  it.each([
    ['templates', `x = [\`a${HOLE}b}c${HOLE}\`d${HOLE}e}\`}\`, \`\\u{41}}\`, f\`\\u\`]`],
    ['template types', `type A = \`x${HOLE}string}y\``],
    ['escapes and wide characters', 'const \\u{61}é = "\\u{1F600}😀\\x41"; /* é */ // 😀\n𠮷'],
    ['regular expressions and numbers', 'x = /[/`}]\\/(?<a>.)/dgu.test(0x1_0 + .5e1 + 1n)'],
    [
      'words that may be names',
      'type type = 1; async = of => of; abstract\nclass A { declare; static static = 1; get: 1 }',
    ],
  ])('is read as any other: %s', async (_, text) => {
    await expectSame(text)
  })

  async function expectSame(text: string): Promise<void> {
    const { program } = await parseJavaScript(text, { language: 'typescript', sourceType: 'module' })
    const plain = parse(text, {
      sourceType: 'module',
      plugins: ['typescript', 'decorators-legacy', 'decoratorAutoAccessors', 'explicitResourceManagement'],
      attachComment: false,
      createParenthesizedExpressions: true,
    })
    expect(isDeepStrictEqual(JSON.parse(printed(program)), JSON.parse(printed(plain.program)))).toBe(true)
  }

  const printed = (value: unknown) =>
    JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part))
})

it('the strings of the process stay fast: no kind of `String` is made', () => {
  const source = readFileSync(
    new URL('../../../src/parse/javascript/parse-javascript.ts', import.meta.url),
    'utf8',
  )
  expect(source).not.toMatch(/extends String|new String|String\.prototype/)
})

describe('a large text', () => {
  // Four marks, and as many words as are asked for.
  const comment = (words: number) => `/*${' a'.repeat(words)} */`

  it('is read up to 250 000 words and marks', async () => {
    expect(await codeOf(comment(249_996))).toBe(undefined)
    expect(await codeOf(comment(249_997))).toBe('javascript-too-large')
    expect(await codeOf('a\u00a0'.repeat(250_001))).toBe('javascript-too-large')
  })

  it.each([
    ['a long string', `export const LOGO = "${'iVBORw0KGgo+/'.repeat(50_000)}"`],
    ['a minified program', `export const a = [${'f(x),'.repeat(20_000)}]`],
    ['many lines', 'const a = f(x, "\\n")\n'.repeat(15_000).replaceAll('const', 'var')],
    ['a chain of calls', `x = f${'()'.repeat(50_000)}`],
  ])('%s is read', async (_, text) => {
    for (const language of LANGUAGES) expect(await codeOf(text, { language })).toBe(undefined)
  })
})

describe('syntax', () => {
  it.each([
    ['a return outside of functions', 'return 1', [false, true, true]],
    ['an import', 'import a from "a"', [true, false, true]],
    ['an await outside of functions', 'await f()', [true, false, true]],
    ['a name that a module reserves', 'var await = 1', [false, true, true]],
    ['a name that is exported and not declared', 'export { a }', [true, false, true]],
    ['a variable declared twice', 'let a; let a', [false, false, false]],
    ['an octal number of old', 'x = 010', [false, true, true]],
    ['a hash bang', '#!/usr/bin/env node\nx = 1', [true, true, true]],
    ['an import attribute', 'import a from "./a.json" with { type: "json" }', [true, false, true]],
    ['a decorator', '@a class B { @c accessor d }', [true, true, true]],
    ['a resource', '{ using a = f() }', [true, true, true]],
  ])('%s', async (_, text, expected) => {
    const codes = await Promise.all(
      SOURCE_TYPES.map(sourceType => codeOf(text, { language: 'javascript', sourceType })),
    )
    expect(codes).toEqual(expected.map(isRead => (isRead ? undefined : 'javascript-syntax')))
  })

  it('a mistake has its place', async () => {
    const { failure } = await parseJavaScript('a = 1\nb = ]', {
      language: 'javascript',
      sourceType: 'module',
    })
    expect(failure).toEqual({ code: 'javascript-syntax', message: 'unexpected token', offset: 10 })
  })

  it('says whether a file is a module', async () => {
    const sourceTypeOf = async (text: string) =>
      (await parseJavaScript(text, { language: 'javascript', sourceType: 'unambiguous' })).program?.sourceType
    expect(await sourceTypeOf('export const a = 1')).toBe('module')
    expect(await sourceTypeOf('import.meta.url')).toBe('module')
    expect(await sourceTypeOf('exports.a = 1')).toBe('script')
  })
})
