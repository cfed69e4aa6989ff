// What a reader is shown of code: everything but the metadata, in every form that a parser reads.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseBytes } from '../../src/parse/parse-bytes.ts'

const PARSERS: Readonly<Record<string, string>> = {
  '.py': 'python/ast',
  '.sh': 'shell/comments',
  '.js': 'javascript/javascript',
  '.cjs': 'javascript/javascript',
  '.ts': 'javascript/javascript',
}

async function proseOf(extension: string, text: string, outline = true): Promise<string | undefined> {
  const { prose } = await parseBytes(PARSERS[extension]!, Buffer.from(text), extension, { outline })
  return prose
}

it('metadata of a directive are no prose, also where they are broken', async () => {
  const xml = '```xml\n<directive name="leak" version="1"><metadata>leak</metadat></directive>\n```'
  const text = `# Heading\n\n${xml}\n\nthe body\n`
  const { prose } = await parseBytes('markdown/xml', Buffer.from(text), '.md')
  expect(prose).toBe('# Heading\n\nthe body')
})

describe('metadata of a tool', () => {
  it.each([
    [
      '.py',
      ['"""What it is for."""', 'import os', ''],
      ['', 'def execute(params, project_path):', '    CONFIG = {}', '    # the body'],
      [
        '__version__="1.0.0"',
        "__tool_type__ = 'python'  # leak",
        '(__category__) = "leak"',
        '__author__ = __copyright__ = "leak"',
        '__tool_description__ = (',
        '    "leak "  # it\'s a leak (',
        '    "leak"',
        ')',
        'CONFIG_SCHEMA: Dict[str, Any] = {',
        '    "leak": {"type": "string", "pattern": "[({"},',
        "    'leak': '\\'',",
        '}',
        'CONFIG = {"leak": """',
        'leak } ] )',
        '"""}',
        'CONFIG["leak"] = 1',
        'tags = ["leak",',
        '        "leak"]',
        '__executor_id__ = \\',
        '    "leak"',
      ],
    ],
    [
      '.py',
      ['"""What it is for."""', ''],
      ['', 'def execute(params, project_path):', '    return {}'],
      [
        '__version__ = "1.0.0"',
        'CONFIG_SCHEMA = {',
        '  "leak": [',
        '    1, 2',
        '  ],',
        '}',
        'keywords = ["leak"]',
      ],
    ],
    [
      '.sh',
      ['#!/usr/bin/env bash', '# What it is for.', '#'],
      ['set -eu', 'CONFIG=$(kept)', 'echo the body'],
      [
        '# __version__="1.0.0"',
        '#__category__   =  "leak"',
        '# CONFIG_SCHEMA = {"type": "object",',
        '#   "properties": {"leak": {"type": "string"}},',
        '#   "required": ["leak"]',
        '# }',
        "# __tool_description__ = 'leak'",
      ],
    ],
    ['.sh', ['# What it is for.'], ['echo the body'], ['# CONFIG_SCHEMA = {"leak": [', '#   "leak"']],
    [
      '.ts',
      ['// What it is for.'],
      ['export function execute() {', "  const CONFIG = 'the body'", '}'],
      [
        "export const __version__ = '1.0.0'",
        'export const __tool_description__ =',
        "  'leak' +",
        "  'leak'",
        'export const CONFIG_SCHEMA: { type: string; properties: object } = {',
        "  leak: { pattern: '}' }, // it's a leak {",
        '  other: `',
        '    leak }',
        '  `,',
        '} as const // leak',
        'const tags: readonly string[] = [',
        "  'leak',",
        '];',
      ],
    ],
    [
      '.cjs',
      ['// What it is for.'],
      ['exports.execute = p => ({})'],
      [
        "exports.__version__ = '1.0.0'",
        'exports["__category__"] = "leak";',
        'module.exports.CONFIG = {',
        '  leak: 1,',
        '}',
        'const text = "leak"',
        'exports.__tool_description__ = text',
      ],
    ],
    [
      '.cjs',
      ['module.exports = {'],
      ['  execute: p => ({}),', '}'],
      ['  __version__: "1.0.0",', '  CONFIG_SCHEMA: {', '    leak: {},', '  },'],
    ],
  ])('are no prose: %s', async (extension, before, after, metadata) => {
    const source = [...before, ...metadata, ...after].join('\n')
    const prose = [...before, ...after].join('\n')
    expect(await proseOf(extension, source)).toBe(prose)
    expect(await proseOf(extension, source, false)).toBe(prose)
  })

  it.each([
    ['export const __version__="leak";export function execute(){}', 'export function execute(){}'],
    ['const text = "leak"\nexport { text as __category__, execute }', 'export { , execute }'],
    ['export const kept = 1, CONFIG = {leak: 2}', 'export const kept = 1, '],
  ])('that share a line with code leave it: %s', async (source, prose) => {
    expect(await proseOf('.js', source)).toBe(prose)
  })

  it.each([
    ['.py', 'CONFIG == 1\ntags.sort()\ndef __getattr__(name):\n    __version__ = 1\nfrom a import CONFIG'],
    ['.sh', 'CONFIG=x\n__version__="1.0.0"\n# The CONFIG = of a tool'],
    ['.js', 'if (CONFIG == 1) tags.push(1)\nfunction tags() { const CONFIG = 1 }\n// CONFIG = 1'],
  ])('are not what only speaks of them: %s', async (extension, text) => {
    expect(await proseOf(extension, text)).toBe(text)
  })

  it('are no prose, for any mixture of them with code', async () => {
    const name = fc.constantFrom(
      '__version__',
      '__tool_description__',
      '__category__',
      'CONFIG',
      'CONFIG_SCHEMA',
      'ENV_CONFIG',
    )
    const value = fc.constantFrom(
      '"leak"',
      '["leak"]',
      '{"leak": [1,\nMARK 2]}',
      '[\nMARK "leak"\nMARK]',
      '"le\\"ak"',
    )
    const blank = fc.constantFrom('', ' ', '   ', '\t')
    const FORMS: Readonly<Record<string, readonly ((name: string, rest: string) => string)[]>> = {
      '.py': [
        (key, rest) => `${key}${rest}`,
        (key, rest) => `(${key})${rest}`,
        (key, rest) => `${key}: Any${rest}  # leak`,
        (key, rest) => `${key} = ${key}${rest}; ${key}${rest}`,
      ],
      '.sh': [(key, rest) => `# ${key}${rest}`, (key, rest) => `#${key}${rest}`],
      '.ts': [
        (key, rest) => `export const ${key}${rest}`,
        (key, rest) => `export const ${key}: { leak: any; [k: string]: any }${rest} as any;`,
        (key, rest) => `export let ${key}: string | {\n  leak: any\n}${rest} // leak`,
      ],
      '.cjs': [
        (key, rest) => `exports.${key}${rest}`,
        (key, rest) => `module.exports.${key}${rest};`,
        (key, rest) => `module["exports"]['${key}']${rest}`,
        (key, rest) => `const value_${key}${rest}\nexports.${key} = value_${key}`,
      ],
    }
    const CODE: Readonly<Record<string, string>> = {
      '.py': 'print(1)',
      '.sh': '# kept',
      '.ts': 'run(1)',
      '.cjs': 'run(1)',
    }
    const line = fc.record({ name, value, before: blank, after: blank, form: fc.nat(), code: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(FORMS)),
        fc.uniqueArray(line, { selector: one => one.name, maxLength: 6 }),
        async (extension, lines) => {
          const forms = FORMS[extension]!
          const written = lines.flatMap(one => {
            const rest = `${one.before}=${one.after}${one.value}`.replaceAll(
              'MARK',
              extension === '.sh' ? '#' : '',
            )
            return [forms[one.form % forms.length]!(one.name, rest), ...(one.code ? [CODE[extension]!] : [])]
          })
          const prose = await proseOf(extension, written.join('\n'))
          const kept = lines.filter(one => one.code).map(() => CODE[extension]!)
          expect(prose?.trimEnd() ?? '', written.join('\n')).toBe(kept.join('\n'))
        },
      ),
      { numRuns: 300 },
    )
  })

  it.each([
    ['.py', '__a__='.repeat(160_000)],
    ['.py', '__a__=1;'.repeat(40_000)],
    ['.py', '__a__=1\n'.repeat(40_000)],
    ['.sh', '# __version__='.repeat(60_000)],
    ['.sh', '# __version__="1"\n'.repeat(50_000)],
    ['.js', 'var __a__=1;'.repeat(20_000)],
    ['.js', `var ${'__a__=1,'.repeat(20_000)}b`],
    ['.js', `module.exports={${'__a__:1,  '.repeat(20_000)}}`],
    ['.js', `export const __a__=1${' '.repeat(900_000)}`],
  ])('are looked for in one pass, however many: %s %#', async (extension, text) => {
    expect((await proseOf(extension, text, false))?.length ?? 0).toBeLessThanOrEqual(text.length)
  })
})
