// Inputs made to hang, exhaust or fool a parser, by the extension they would come with.

const MEGABYTE = 1_000_000

export interface HostileInput {
  readonly title: string
  readonly parser: string
  readonly extension: string
  readonly bytes: Uint8Array
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value)
const fill = (unit: string, bytes = 150_000): string => unit.repeat(Math.floor(bytes / unit.length))
const deep = (open: string, close: string, levels = 10_000): string =>
  open.repeat(levels) + close.repeat(levels)

/** What any file may be, whatever its extension. */
const ANY: Record<string, Uint8Array> = {
  empty: text(''),
  'white space': text(' \n\t\n'),
  binary: Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 256),
  '100 MB': new Uint8Array(100 * MEGABYTE).fill(0x61),
  'invalid UTF-8': Uint8Array.from([0x61, 0x0a, 0xc3, 0x28]),
  'a NUL': text('name: a\n\0'),
  'a byte order mark': text('\ufeffname: a\n'),
  'CRLF lines': text(fill('a: b\r\n', 10_000)),
  'CR lines': text(fill('a\r')),
  'one long line': text(fill('a')),
  'blank lines': text(`${fill('\n')}a`),
  'open brackets': text(fill('[')),
  'open braces': text(fill('{')),
  quotes: text(fill('"')),
  backslashes: text(fill('\\')),
  'hash signs': text(fill('#\n')),
}

const YAML: Record<string, string> = {
  'alias bomb': bomb(),
  'cyclic alias': 'a: &a [*a, *a]\n',
  'many aliases': `a: &a x\nb: [${fill('*a,', 300_000)}]\n`,
  'long aliased text': `a: &a ${fill('x', 200_000)}\nb: [${'*a,'.repeat(60)}]\n`,
  'unknown tag': 'a: !!python/object/apply:os.system ["id"]\n',
  'deep flow': `a: ${deep('[', ']')}\n`,
  'deep mapping': `a: ${deep('{a: ', '}')}\n`,
  'deep block': `${Array.from({ length: 1_000 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')}\n`,
  'deep compact sequence': `a:\n  ${'- '.repeat(10_000)}x\n`,
  'explicit keys': fill('? '),
  'merge bomb': `a: &a {${Array.from({ length: 200 }, (_, i) => `k${i}: 1`).join(', ')}}\n${Array.from({ length: 2_000 }, (_, i) => `b${i}: {<<: [*a, *a, *a]}`).join('\n')}\n`,
  'tag prefixes': fill('!a '),
  anchors: fill('&a '),
  'anchored lines': fill('&a\n'),
  'a long tag': `a: !<${fill('x', 500_000)}> 1\n`,
  'an open quote': `a: "${fill('x\n')}`,
  'an open single quote': `a: '${fill("x ''")}`,
  'a long number': `a: ${fill('9')}\n`,
  'a long sexagesimal': `a: 1${fill(':59')}\n`,
  'a long date': `a: 2026-01-01${fill(' ')}x\n`,
  'many documents': fill('---\n'),
  'many keys': fill('a: 1\n'),
  'flow pairs': `a: [${fill('a: b, ')}]\n`,
  'nested flow pairs': `a: ${'[a: '.repeat(90)}${fill('x, ', 300_000)}${']'.repeat(90)}\n`,
  directives: fill('%YAML 1.1\n'),
}

const XML: Record<string, string> = {
  'entity bomb':
    '<!DOCTYPE d [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><directive name="a">&b;</directive>',
  'external entity':
    '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><directive name="a">&x;</directive>',
  'undefined entity': '<directive name="a">&nbsp;</directive>',
  'deep elements': `<directive name="a">${deep('<a>', '</a>')}</directive>`,
  'open elements': `<directive name="a">${fill('<a>', 250_000)}`,
  'open angle brackets': fill('<'),
  'open tags': fill('<a '),
  'open attributes': fill('<a b="'),
  'open comments': fill('<!--'),
  'open CDATA': fill('<![CDATA['),
  'open instructions': fill('<?'),
  'many attributes': `<directive ${Array.from({ length: 20_000 }, (_, i) => `a${i}="1"`).join(' ')}/>`,
  'a long attribute': `<directive name="${fill('x', 250_000)}"/>`,
  'unknown permissions': `<directive name="a"><permissions>${fill('<x/>', 200_000)}</permissions></directive>`,
  'prototype names':
    '<directive name="a" __proto__="b" constructor="c"><metadata><__proto__>x</__proto__></metadata></directive>',
  references: `<directive name="a">${fill('&amp;', 250_000)}</directive>`,
  'carriage returns': `<directive name="a">${fill('&#13;', 100_000)}${fill('\r', 100_000)}</directive>`,
  'astral characters': `<directive name="a">${fill('😀', 200_000)}`,
}

const MARKDOWN: Record<string, string> = {
  'open fences': fill('```xml\n~~~\n'),
  'growing fences': Array.from({ length: 1_000 }, (_, index) => '`'.repeat(index + 3)).join('\n'),
  'many fences': fill('```xml\n<a/>\n```\n'),
  'many yaml fences': fill('text\n```yaml\na: 1\n```\n'),
  'front matter marks': fill('---\n'),
  'open front matter': `---\n${fill('a: 1\n')}`,
  'HTML blocks': fill('<!--\n'),
  'open steps': fill('<process><step><execute a="b"><param name="x">'),
  parameters: `<process><execute>${fill('<param name="__proto__">x</param>')}`,
  spaces: fill(' '),
}

const JSON_TEXT: Record<string, string> = {
  'deep arrays': `{"a": ${deep('[', ']')}}`,
  'deep objects': `{"a": ${deep('{"a":', '}')}}`,
  'an open string': `{"a": "${fill('x')}`,
  escapes: `{"a": "${fill('\\u0041')}"}`,
  'duplicated keys': `{${fill('"a":1,')}"a":1}`,
  'a long number': `{"a": ${fill('9')}}`,
  'prototype keys': '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
}

const TOML_TEXT: Record<string, string> = {
  'deep arrays': `a = ${deep('[', ']')}`,
  'deep keys': `${'a.'.repeat(10_000)}a = 1`,
  'deep inline tables': `a = ${deep('{a = ', '}')}`,
  'table arrays': fill('[[a]]\n'),
  'an open string': `a = """${fill('x\n')}`,
  'prototype keys': '[__proto__]\npolluted = true\n[constructor.prototype]\npolluted = true\n',
  'a long number': `a = ${fill('9')}`,
}

const SHELL_TEXT: Record<string, string> = {
  'open values': fill('# CONFIG = [\n'),
  'open strings': fill('# CONFIG = "\n'),
  'one open value': `# CONFIG = [\n${fill('# 1,\n')}`,
  'equal signs': fill('# A='),
  'prototype keys': '# CONFIG = {"__proto__": {"polluted": true}}\n',
}

export const HOSTILE_INPUTS: readonly HostileInput[] = [
  ...rows('markdown/xml', '.md', {
    ...ANY,
    ...bytesOf(MARKDOWN),
    ...bytesOf(XML),
    ...bytesOf(XML, fenced('xml')),
  }),
  ...rows('markdown/frontmatter', '.md', { ...ANY, ...bytesOf(MARKDOWN), ...bytesOf(YAML, fenced('yaml')) }),
  ...rows('markdown/frontmatter', '.yaml', { ...ANY, ...bytesOf(YAML) }),
  ...rows('yaml/yaml', '.yaml', { ...ANY, ...bytesOf(YAML) }),
  ...rows('json/json', '.json', { ...ANY, ...bytesOf(JSON_TEXT) }),
  ...rows('toml/toml', '.toml', { ...ANY, ...bytesOf(TOML_TEXT) }),
  ...rows('shell/comments', '.sh', { ...ANY, ...bytesOf(SHELL_TEXT) }),
]

/** For the code formats: the inputs that do not depend on a format. */
export function hostileInputsFor(parser: string, extension: string): HostileInput[] {
  return rows(parser, extension, ANY)
}

function rows(parser: string, extension: string, inputs: Record<string, Uint8Array>): HostileInput[] {
  return Object.entries(inputs).map(([title, bytes]) => ({ title, parser, extension, bytes }))
}

function bytesOf(
  inputs: Record<string, string>,
  wrap: { prefix: string; change: (value: string) => string } = { prefix: '', change: value => value },
): Record<string, Uint8Array> {
  return Object.fromEntries(
    Object.entries(inputs).map(([title, value]) => [wrap.prefix + title, text(wrap.change(value))]),
  )
}

function fenced(language: string): { prefix: string; change: (value: string) => string } {
  return { prefix: 'fenced: ', change: value => `\`\`\`${language}\n${value}\n\`\`\`\n` }
}

function bomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]']
  for (let level = 1; level < 9; level++) {
    const alias = `*a${level - 1}`
    lines.push(`a${level}: &a${level} [${Array(7).fill(alias).join(', ')}]`)
  }
  return `${lines.join('\n')}\n`
}
