// What each action takes, as literal types: the library's types are derived from the fields and must match
// these. What agents may send besides is pinned in `mcp-tools.json`; the names and values of both are
// compared here.
import { readFileSync } from 'node:fs'
import { expect, expectTypeOf, it } from 'vitest'
import type {
  ActionInput,
  ActionName,
  ExecuteInput,
  FetchInput,
  LoadInput,
  SearchInput,
  SignInput,
} from '../../src/index.ts'
import { judgedByCompiler } from '../fixtures/judged-by-compiler.ts'

type ItemType = 'directive' | 'tool' | 'knowledge' | 'skill'
type SignedType = ItemType | 'config'
type Values = Readonly<Record<string, unknown>>
interface Project {
  readonly project_path: string
}
/** A field may be left out, or be undefined. */
type May<T> = { readonly [K in keyof T]?: T[K] | undefined }
type Flat<T> = { [K in keyof T]: T[K] }

interface SearchFilters {
  readonly limit: number
  readonly offset: number
  readonly sort_by: 'score' | 'date' | 'name'
  readonly category: string
  readonly tags: readonly string[]
  readonly date_from: string
  readonly date_to: string
  readonly fields: Values
  readonly filters: Values
  readonly fuzzy: unknown
  readonly proximity: unknown
  readonly scope: string
  readonly match: 'auto' | 'all' | 'any'
  readonly trusted: boolean
  readonly detail: 'brief' | 'full'
}
interface Copying {
  readonly destination: 'project' | 'user'
  readonly overwrite: boolean
  readonly version: string
  readonly view: 'source' | 'summary'
}
type Search = Project & { readonly query: string } & May<
    SearchFilters & {
      readonly item_type: 'all' | ItemType
      readonly source: 'all' | 'project' | 'user' | 'system' | 'local' | 'registry'
      readonly why: boolean
    }
  >
type Load = Project & { readonly item_id: string } & May<
    Copying & {
      readonly offset: number
      readonly limit: number
      readonly item_type: ItemType
      readonly source: 'project' | 'user' | 'system' | 'registry'
    }
  >
type Fetch = Project &
  May<
    SearchFilters &
      Copying & {
        readonly item_id: string
        readonly query: string
        readonly item_type: ItemType | 'all'
        readonly source: 'project' | 'user' | 'system' | 'local' | 'registry' | 'all'
      }
  >
type Execute = Project & { readonly item_id: string } & May<{
    readonly item_type: ItemType
    readonly parameters: Values
    readonly param: Values
    readonly dry_run: boolean
    readonly timeout: number
    readonly trace: boolean
  }>
type Sign = Project & { readonly item_id: string } & May<{
    readonly item_type: SignedType
    readonly source: 'project' | 'user'
    readonly location: 'project' | 'user'
    readonly category: string
    readonly format: 'v2' | 'v1'
    readonly take_over: boolean
    readonly reviewed: boolean
    readonly resolve: boolean
    readonly digest: string
  }>

judgedByCompiler('of what agents call', () => {
  expectTypeOf<SearchInput>().toEqualTypeOf<Flat<Search>>()
  expectTypeOf<LoadInput>().toEqualTypeOf<Flat<Load>>()
  expectTypeOf<FetchInput>().toEqualTypeOf<Flat<Fetch>>()
  expectTypeOf<ExecuteInput>().toEqualTypeOf<Flat<Execute>>()
  expectTypeOf<SignInput>().toEqualTypeOf<Flat<Sign>>()
})

judgedByCompiler('of what people call', () => {
  type Input<Name extends ActionName> = ActionInput<Name>
  interface Directory {
    readonly directory: string
  }
  expectTypeOf<Input<'verify'>>().toEqualTypeOf<
    Flat<Project & May<{ targets: readonly string[]; item_type: SignedType; trust: readonly string[] }>>
  >()
  expectTypeOf<Input<'list'>>().toEqualTypeOf<
    Flat<Project & May<{ pattern: string; item_type: ItemType; source: 'project' | 'user' | 'system' }>>
  >()
  expectTypeOf<Input<'show'>>().toEqualTypeOf<
    Flat<Project & { readonly item_id: string } & May<{ item_type: ItemType; content: boolean }>>
  >()
  expectTypeOf<Input<'parse'>>().toEqualTypeOf<
    Flat<Project & { readonly paths: readonly string[] } & May<{ item_type: SignedType }>>
  >()
  expectTypeOf<Input<'index'>>().toEqualTypeOf<Flat<Project & May<{ rebuild: boolean; watch: boolean }>>>()
  expectTypeOf<Input<'runs'>>().toEqualTypeOf<
    Flat<Project & May<{ receipt: string; item_id: string; outcome: string; since: string; limit: number }>>
  >()
  expectTypeOf<Input<'init'>>().toEqualTypeOf<
    Flat<
      Project &
        May<{
          directory: string
          client:
            | 'claude'
            | 'claude-desktop'
            | 'cursor'
            | 'vscode'
            | 'codex'
            | 'gemini'
            | 'windsurf'
            | 'zed'
            | 'opencode'
          no_items: boolean
          merge_driver: boolean
        }>
    >
  >()
  expectTypeOf<Input<'new'>>().toEqualTypeOf<
    Flat<
      Project & { readonly item_type: ItemType; readonly item_id: string } & May<{
          command: string
          language: 'python' | 'typescript' | 'bash' | 'yaml'
          param: readonly string[]
          description: string
          source: 'project' | 'user'
        }>
    >
  >()
  expectTypeOf<Input<'doctor'>>().toEqualTypeOf<Flat<Project>>()
  expectTypeOf<Input<'eval'>>().toEqualTypeOf<
    Flat<Directory & May<{ embeddings: boolean; project_path: string }>>
  >()
  type Registry = Project & May<{ registry: string; timeout: number }>
  interface Package {
    readonly package: string
  }
  type Fetching = Project & May<{ to: 'project' | 'user'; timeout: number }>
  type Accepting = Fetching & May<{ dry_run: boolean; accept: readonly string[] }>
  expectTypeOf<Input<'add'>>().toEqualTypeOf<
    Flat<
      Accepting & { readonly source: string } & May<{ only: readonly string[]; ref: string; list: boolean }>
    >
  >()
  expectTypeOf<Input<'install'>>().toEqualTypeOf<Flat<Fetching & May<{ frozen: boolean }>>>()
  expectTypeOf<Input<'outdated'>>().toEqualTypeOf<Flat<Fetching>>()
  expectTypeOf<Input<'update'>>().toEqualTypeOf<Flat<Accepting & May<{ name: string }>>>()
  expectTypeOf<Input<'remove'>>().toEqualTypeOf<
    Flat<Project & { readonly name: string } & May<{ to: 'project' | 'user' }>>
  >()
  type Item = Project & { readonly item_id: string } & May<{ item_type: ItemType }>
  expectTypeOf<Input<'why'>>().toEqualTypeOf<Flat<Item>>()
  expectTypeOf<Input<'review'>>().toEqualTypeOf<Flat<Item>>()
  expectTypeOf<Input<'registry search'>>().toEqualTypeOf<
    Flat<Registry & May<{ query: string; limit: number }>>
  >()
  expectTypeOf<Input<'registry show'>>().toEqualTypeOf<Flat<Registry & Package & May<{ version: string }>>>()
  expectTypeOf<Input<'registry pull'>>().toEqualTypeOf<
    Flat<
      Registry &
        Package &
        May<{ version: string; overwrite: boolean; accept_signer: string; dry_run: boolean }>
    >
  >()
  expectTypeOf<Input<'registry publish'>>().toEqualTypeOf<
    Flat<
      Registry &
        Package & {
          readonly version: string
          readonly items: readonly string[]
          readonly description: string
        } & May<{
          keywords: readonly string[]
          tag: string
          access: 'public' | 'restricted'
          dry_run: boolean
          otp: string
          provenance_file: string
        }>
    >
  >()
  expectTypeOf<Input<'registry unpublish'>>().toEqualTypeOf<
    Flat<Registry & Package & { readonly version: string } & May<{ otp: string }>>
  >()
  expectTypeOf<Input<'keys generate'>>().toEqualTypeOf<Flat<May<{ owner: string; from_env: string }>>>()
  expectTypeOf<Input<'keys show'>>().toEqualTypeOf<Readonly<Record<string, never>>>()
  expectTypeOf<Input<'keys list'>>().toEqualTypeOf<Readonly<Record<string, never>>>()
  expectTypeOf<Input<'keys trust'>>().toEqualTypeOf<
    Flat<
      { readonly file: string } & May<{
        fingerprint: string
        for: readonly string[]
        project: readonly string[]
        until: string
        despite_revocation: boolean
      }>
    >
  >()
  expectTypeOf<Input<'keys offer'>>().toEqualTypeOf<Flat<Project>>()
  expectTypeOf<Input<'keys export'>>().toEqualTypeOf<Flat<May<{ key: string; out: string }>>>()
  expectTypeOf<Input<'keys rotate'>>().toEqualTypeOf<Flat<Project & May<{ owner: string }>>>()
  expectTypeOf<Input<'keys revoke'>>().toEqualTypeOf<
    Flat<May<{ key: string; reason: string; out: string; import: string }>>
  >()
  expectTypeOf<Input<'keys remove'>>().toEqualTypeOf<{ readonly fingerprint: string }>()
  expectTypeOf<Input<'skills scan'>>().toEqualTypeOf<Flat<Directory & May<{ details: boolean }>>>()
  expectTypeOf<Input<'skills sniff'>>().toEqualTypeOf<Flat<Directory>>()
  expectTypeOf<Input<'skills index'>>().toEqualTypeOf<
    Flat<Directory & May<{ more: readonly string[]; out: string; lance: string }>>
  >()
  expectTypeOf<Input<'skills sync'>>().toEqualTypeOf<
    Flat<Directory & { readonly lance: string } & May<{ more: readonly string[] }>>
  >()
  expectTypeOf<Input<'skills search'>>().toEqualTypeOf<
    Flat<
      { readonly query: string; readonly lance: string } & May<{
        limit: number
        category: string
        skill: string
        type: 'command' | 'skill'
        threshold: number
        confidence: 'low' | 'medium' | 'high'
      }>
    >
  >()
  expectTypeOf<Input<'skills validate'>>().toEqualTypeOf<Flat<Directory>>()
  expectTypeOf<Input<'skills install'>>().toEqualTypeOf<
    Flat<
      Project & {
        readonly item_id: string
        readonly to:
          | ('adal' | 'agents' | 'aider-desk' | 'amp' | 'antigravity')
          | ('antigravity-cli' | 'astrbot' | 'augment' | 'autohand-code' | 'bob')
          | ('claude' | 'claude-code' | 'cline' | 'codearts-agent' | 'codebuddy')
          | ('codemaker' | 'codestudio' | 'codewhale' | 'codex' | 'command-code')
          | ('continue' | 'copilot' | 'cortex' | 'crush' | 'cursor')
          | ('deepagents' | 'devin' | 'dexto' | 'droid' | 'eve')
          | ('firebender' | 'forgecode' | 'fx' | 'gemini' | 'gemini-cli')
          | ('github-copilot' | 'goose' | 'grok' | 'hermes' | 'hermes-agent')
          | ('iflow-cli' | 'inference-sh' | 'jazz' | 'junie' | 'kilo')
          | ('kimchi' | 'kimi-cli' | 'kimi-code-cli' | 'kiro' | 'kiro-cli')
          | ('kode' | 'lingma' | 'loaf' | 'mcpjam' | 'minimax-code')
          | ('mistral-vibe' | 'moxby' | 'mux' | 'neovate' | 'ona')
          | ('openclaw' | 'opencode' | 'openhands' | 'pi' | 'pochi')
          | ('posit-assistant' | 'promptscript' | 'qoder' | 'qoder-cn' | 'qwen-code')
          | ('reasonix' | 'replit' | 'roo' | 'rovodev' | 'sarvam-code')
          | ('tabnine-cli' | 'terramind' | 'tinycloud' | 'trae' | 'trae-cn')
          | ('universal' | 'warp' | 'windsurf' | 'zcode' | 'zed')
          | ('zencoder' | 'zenflow')
      } & May<{ user: boolean; link: boolean; overwrite: boolean }>
    >
  >()
  expectTypeOf<Input<'knowledge scan'>>().toEqualTypeOf<Flat<Directory & May<{ details: boolean }>>>()
})

/** Literal again, and complete by its type: what the types above leave out of `mcp-tools.json`, or add to it. */
const NAMES: {
  readonly [Name in 'search' | 'load' | 'fetch' | 'execute' | 'sign']: readonly (keyof ActionInput<Name>)[]
} = {
  search: [
    ...(['query', 'item_type', 'project_path', 'source', 'limit', 'offset', 'sort_by', 'category'] as const),
    ...(['tags', 'date_from', 'date_to', 'fields', 'filters', 'fuzzy', 'proximity', 'scope'] as const),
    'match',
    'trusted',
    'detail',
  ],
  load: [
    'item_id',
    'item_type',
    'project_path',
    'source',
    'destination',
    'overwrite',
    'version',
    'view',
    'offset',
    'limit',
  ],
  fetch: [
    ...(['item_id', 'query', 'project_path', 'limit', 'offset', 'sort_by', 'category', 'tags'] as const),
    ...([
      'date_from',
      'date_to',
      'fields',
      'filters',
      'fuzzy',
      'proximity',
      'scope',
      'match',
      'trusted',
      'detail',
    ] as const),
    ...(['item_type', 'source', 'destination', 'overwrite', 'version', 'view'] as const),
  ],
  execute: ['item_id', 'item_type', 'project_path', 'parameters', 'dry_run', 'timeout', 'trace'],
  sign: ['item_id', 'item_type', 'project_path', 'source', 'location', 'category'],
}

it('agents may send the same', () => {
  const pinned = JSON.parse(readFileSync(new URL('mcp-tools.json', import.meta.url), 'utf8'))
  const listed = Object.fromEntries(
    pinned.tools.map((tool: { name: string; inputSchema: { properties: object } }) => [
      tool.name,
      Object.keys(tool.inputSchema.properties),
    ]),
  )
  expect(listed).toEqual(NAMES)
})
