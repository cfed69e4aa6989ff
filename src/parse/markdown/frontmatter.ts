// `markdown/frontmatter`: knowledge. Metadata is YAML: a ```yaml fence, `---` front matter on the first line, or a
// whole `.yaml` file. A yaml fence further down is an example, unless it names an entry.

import { createMetadata } from '../metadata.ts'
import { createReport, type Report } from '../report.ts'
import { skipSignatureLine } from '../signature-line.ts'
import type { Metadata, Parser } from '../types.ts'
import { readYaml, type YamlExcerpt } from '../yaml/read-yaml.ts'
import { contentOf, findFences, MAX_METADATA_FENCES, toFileOffset } from './fences.ts'

interface FrontMatter {
  readonly yaml: YamlExcerpt
  readonly start: number
  /** Where the body begins. */
  readonly end: number
}

export const markdownFrontmatter: Parser = {
  name: 'markdown/frontmatter',
  async parse({ text, extension }) {
    const report = createReport(text)
    const begin = skipSignatureLine(text)
    const isYaml = extension === '.yaml' || extension === '.yml'
    const matter = isYaml
      ? { yaml: sliceOf(text, begin, text.length), start: begin, end: text.length }
      : (findFrontMatter(text, begin, report) ?? findYamlFence(text, begin, report))

    let metadata: Metadata
    if (matter === undefined) {
      report.warning('metadata-missing', 'expected a ```yaml fence or `---` front matter', begin)
      metadata = createMetadata()
    } else metadata = await readYaml(matter.yaml, report)

    const bodyKey = metadata.body
    const body = isYaml && typeof bodyKey === 'string' ? bodyKey : text.slice(matter?.end ?? begin).trim()
    metadata.body = body
    const aside = text.slice(begin, matter?.start ?? begin).trim()
    return { metadata, body, aside, diagnostics: report.diagnostics }
  },
}

/** Front matter between a first line `---` and the next line `---` or `...`. */
function findFrontMatter(text: string, begin: number, report: Report): FrontMatter | undefined {
  if (!isLine(text, begin, '---')) return undefined
  const start = nextLine(text, begin)
  let line = start
  while (line < text.length && !isLine(text, line, '---') && !isLine(text, line, '...'))
    line = nextLine(text, line)
  if (line >= text.length) {
    report.error('frontmatter-unterminated', 'expected a line `---` to end the front matter', begin)
  }
  return { yaml: sliceOf(text, start, Math.min(line, text.length)), start: begin, end: nextLine(text, line) }
}

function findYamlFence(text: string, begin: number, report: Report): FrontMatter | undefined {
  for (const fence of findFences(text, begin, MAX_METADATA_FENCES)) {
    if (fence.language !== 'yaml' && fence.language !== 'yml') continue
    const content = contentOf(text, fence)
    if (!isBeforeProse(text.slice(begin, fence.start)) && !namesEntry(content)) return undefined
    if (!fence.isClosed)
      report.error('fence-unterminated', 'expected a line to close this fence', fence.start)
    return {
      yaml: { text: content, toFileOffset: offset => toFileOffset(text, fence, offset) },
      start: fence.start,
      end: fence.end,
    }
  }
  return undefined
}

/** Only headings, comments and blank lines may come before the metadata of an entry. */
function isBeforeProse(before: string): boolean {
  return before
    .split('\n')
    .every(line => line.trim() === '' || line.startsWith('#') || line.startsWith('<!--'))
}

function namesEntry(yaml: string): boolean {
  return /^(?:id|name|title|entry_type)[ \t]*:/m.test(yaml)
}

function sliceOf(text: string, start: number, end: number): YamlExcerpt {
  return { text: text.slice(start, end), toFileOffset: offset => start + offset }
}

function isLine(text: string, start: number, content: string): boolean {
  return text.startsWith(content, start) && text.slice(start, nextLine(text, start)).trimEnd() === content
}

function nextLine(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end === -1 ? text.length : end + 1
}
