// Every parser, by the name that extractors use. A format is a row here; its code is loaded when first needed.
import { lazy } from '../base/index.ts'
import type { Parser } from './types.ts'

export interface ParserRow {
  /** Larger files are refused unread. */
  readonly maxBytes: number
  load(): Promise<Parser>
}

const ITEM_BYTES = 1_000_000
const KNOWLEDGE_BYTES = 8_000_000

export const PARSERS: ReadonlyMap<string, ParserRow> = new Map<string, ParserRow>([
  [
    'markdown/xml',
    { maxBytes: ITEM_BYTES, load: lazy(async () => (await import('./markdown/xml.ts')).markdownXml) },
  ],
  [
    'markdown/frontmatter',
    {
      maxBytes: KNOWLEDGE_BYTES,
      load: lazy(async () => (await import('./markdown/frontmatter.ts')).markdownFrontmatter),
    },
  ],
  [
    'markdown/skill',
    {
      maxBytes: KNOWLEDGE_BYTES,
      load: lazy(async () => (await import('./markdown/skill.ts')).markdownSkill),
    },
  ],
  [
    'python/ast',
    { maxBytes: ITEM_BYTES, load: lazy(async () => (await import('./python/python-ast.ts')).pythonAst) },
  ],
  [
    'javascript/javascript',
    { maxBytes: ITEM_BYTES, load: lazy(async () => (await import('./javascript/javascript.ts')).javascript) },
  ],
  ['yaml/yaml', { maxBytes: ITEM_BYTES, load: lazy(async () => (await import('./yaml/yaml.ts')).yaml) }],
  ['json/json', { maxBytes: ITEM_BYTES, load: lazy(async () => (await import('./json/json.ts')).json) }],
  ['toml/toml', { maxBytes: ITEM_BYTES, load: lazy(async () => (await import('./toml/toml.ts')).toml) }],
  [
    'shell/comments',
    { maxBytes: ITEM_BYTES, load: lazy(async () => (await import('./shell/comments.ts')).shellComments) },
  ],
])

export const PARSER_NAMES: readonly string[] = [...PARSERS.keys()]
