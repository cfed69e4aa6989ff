// `markdown/skill`: SKILL.md and the documents beside it, as people have them. Whatever can be understood is read, and what had to be
// repaired for it is a warning; `rye skills validate` turns these into errors of the specification. Only bytes that are no text
// are refused.
import type { Diagnostic, JsonValue } from '../../base/index.ts'
import { createMetadata } from '../metadata.ts'
import { createReport } from '../report.ts'
import { skipSignatureLine } from '../signature-line.ts'
import type { Metadata, Parser } from '../types.ts'
import { type MatterBlock, splitMatter } from './matter-block.ts'
import { repairYaml } from './repair-yaml.ts'

/** Fields that are text, whatever YAML makes of a number or of `yes`. */
const TEXTS = ['name', 'description', 'license', 'compatibility', 'allowed-tools']

export const markdownSkill: Parser = {
  name: 'markdown/skill',
  async parse({ text }) {
    const report = createReport(text)
    const begin = skipSignatureLine(text)
    const block = splitMatter(text, begin)
    if (block === undefined) {
      report.warning('metadata-missing', 'expected `---` front matter on the first line', begin)
      const body = text.slice(begin).trim()
      return { metadata: withBody(createMetadata(), body), body, diagnostics: report.diagnostics }
    }
    if (block.blankLines)
      report.warning('front-matter-late', 'blank lines before the front matter are left out', begin)
    if (!block.isClosed)
      report.warning(
        'frontmatter-unterminated',
        'expected a line `---` to end the front matter; it is read as far as it goes',
        block.start,
      )
    const { metadata, diagnostics } = await repairYaml(text, block.yaml)
    const body = text.slice(block.end).trim()
    const quoted = textsAsWritten(metadata, text, block)
    for (const key of quoted.keys) {
      const message = `\`${key}\`: expected text, got ${typeof metadata[key]}; put it in quotes`
      report.warning('field-quotes', message, quoted.offsetOf(key))
    }
    return {
      metadata: withBody({ ...metadata, ...quoted.values }, body),
      body,
      diagnostics: sorted([...report.diagnostics, ...diagnostics]),
    }
  },
}

/** A name or description of blanks is none. */
function withBody(metadata: Metadata, body: string): Metadata {
  const filled = Object.entries(metadata).filter(
    ([key, value]) => !((key === 'name' || key === 'description') && isBlank(value)),
  )
  return Object.assign(createMetadata(), Object.fromEntries(filled), { body })
}

function isBlank(value: JsonValue): boolean {
  return typeof value === 'string' && value.trim() === ''
}

/** `name: 2024` and `license: 1.10` as they are spelled. */
function textsAsWritten(metadata: Metadata, text: string, { yaml }: MatterBlock) {
  const values: Record<string, JsonValue> = {}
  const source = text.slice(yaml.start, yaml.end)
  const find = (key: string) => new RegExp(`^${key}[ \\t]*:[ \\t]+(.*)$`, 'm').exec(source)
  for (const key of TEXTS) {
    const value = metadata[key]
    if (typeof value !== 'number' && typeof value !== 'boolean') continue
    values[key] =
      find(key)?.[1]
        ?.replace(/[ \t]+#.*$/, '')
        .trim() || String(value)
  }
  return {
    values,
    keys: Object.keys(values),
    offsetOf: (key: string) => yaml.start + (find(key)?.index ?? 0),
  }
}

function sorted(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort((a, b) => a.line - b.line || a.column - b.column)
}
