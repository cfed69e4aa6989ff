// A plan is everything that running a tool needs, decided: it can be printed (`dry_run`), explained (`trace`),
// tested and refused. Only `execute/` turns it into processes and sockets.
import type { Diagnostic, JsonObject, JsonValue } from '../base/index.ts'
import type { Space } from '../item/index.ts'
import type { Metadata } from '../parse/index.ts'
import type { Verdict } from '../trust/index.ts'
import type { ParameterSchemas, PatternMatcher } from './parameters/parameters.ts'

/** A chain element that has been read once and verified. */
export interface VerifiedTool {
  readonly id: string
  readonly space: Space
  /** Where it was read; never opened again. */
  readonly path: string
  /** With its dot, lower case. */
  readonly extension: string
  /** Exactly the bytes that were verified. */
  readonly bytes: Uint8Array
  /** SHA-256 of those bytes. */
  readonly digest: string
  readonly verdict: Verdict
  /** Under the standard names (`executor_id`, `config_schema`, `env_config` ...), whatever the file's language. */
  readonly metadata: Metadata
  /** What the parser noticed; an element that could not be read is told apart from an empty one by this. */
  readonly diagnostics: readonly Diagnostic[]
  /** Spaces of lower precedence that hold an item of this id. */
  readonly shadows: readonly Space[]
}

/** What an answer shows of an element. */
export interface ChainLink {
  readonly item_id: string
  readonly space: Space
  readonly tool_type: string | null
}

/** Files that must exist for an interpreter: private copies of verified bytes, named by digest. */
export interface CopiedFile {
  /** Below the copy's directory, with `/`. */
  readonly path: string
  readonly bytes: Uint8Array
}

export interface PrivateCopy {
  /** Digest over all paths and contents: equal copies share one directory. */
  readonly digest: string
  /** `{copiesRoot}/{digest}`: written once, never changed. */
  readonly directory: string
  readonly files: readonly CopiedFile[]
}

/** A process of its own: argument vector, no shell, standard input given. */
export interface ProcessInvocation {
  readonly kind: 'process'
  /** An absolute file, or a bare name for the child's `PATH`. */
  readonly command: string
  readonly args: readonly string[]
  readonly stdin: string
  readonly cwd: string
  readonly privateCopy: PrivateCopy | null
  /** `node` when the program is a JavaScript or TypeScript file, so that the runner can strip types. */
  readonly host: FunctionHost | null
}

export type FunctionHost = 'python' | 'node'

/** A function in a warm worker: the worker compiles these bytes, not a file. */
export interface FunctionInvocation {
  readonly kind: 'function'
  readonly host: FunctionHost
  readonly command: string
  readonly functionName: string
  /** `params`: execute(params, project_path); `keywords`: function(**params). */
  readonly call: 'params' | 'keywords'
  readonly source: Uint8Array
  readonly digest: string
  /** What `__file__` says: the tool's own path in the private copy, whether or not it is written. */
  readonly filename: string
  /** Null when the tool has no siblings: nothing needs to be on disk. */
  readonly privateCopy: PrivateCopy | null
  readonly cwd: string
}

export interface HttpInvocation {
  readonly kind: 'http'
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Lower-case names of headers that carry a credential: never sent to another origin on a redirect. */
  readonly credentialHeaders: readonly string[]
  /** A string is sent as it is, anything else as JSON. */
  readonly body: JsonValue | null
  readonly retry: { readonly attempts: number; readonly backoff: 'exponential' | 'linear' }
  readonly allowPrivate: boolean
}

export interface McpInvocation {
  readonly kind: 'mcp'
  readonly server: McpServer
  readonly toolName: string
}

export type Invocation = ProcessInvocation | FunctionInvocation | HttpInvocation | McpInvocation

export type McpServer =
  | {
      readonly id: string
      /** Of the server's item: a changed definition is another connection. */
      readonly digest: string
      readonly transport: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      /** The whole environment of the server's process. */
      readonly env: Readonly<Record<string, string>>
      readonly cwd: string
    }
  | {
      readonly id: string
      readonly digest: string
      readonly transport: 'http'
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      readonly credentialHeaders: readonly string[]
      readonly allowPrivate: boolean
    }

export interface Plan {
  readonly itemId: string
  readonly projectPath: string
  /** Tool first, primitive last. */
  readonly elements: readonly VerifiedTool[]
  /** Verified items beside the chain: the definition of an MCP server. */
  readonly references: readonly VerifiedTool[]
  readonly chain: readonly ChainLink[]
  readonly validatedPairs: number
  /** Validated, defaults applied; reaches the tool byte for byte. */
  readonly parameters: JsonObject
  readonly invocation: Invocation
  /** The whole environment of the child: an allow-list and what the chain declares. */
  readonly environment: Readonly<Record<string, string>>
  /** Who added which variables: `caller`, `.env` or an element's id → names. */
  readonly environmentOrigins: ReadonlyMap<string, readonly string[]>
  /** Values that must not appear in answers. */
  readonly secrets: readonly string[]
  readonly timeoutMs: number
  readonly concurrency: 'shared' | 'exclusive'
  /** What the tool declares it needs; the sandbox grants no more. */
  readonly permissions: Permissions
  /** Sibling files that were not taken into the private copy, and why. */
  readonly leftOut: readonly LeftOut[]
}

export interface Permissions {
  /** True unless the tool declares otherwise. */
  readonly network: boolean
  /** Absolute paths beside the project that the tool may write to. */
  readonly write: readonly string[]
}

export interface LeftOut {
  readonly path: string
  readonly reason: string
}

/** Finds a verified tool in the given space or one of lower precedence. Throws when one is found that does not verify. */
export type ToolLookup = (id: string, from: Space) => Promise<VerifiedTool | undefined>

/** Where an interpreter may be: files first, then names on `PATH`, then the answer of a command. */
export interface InterpreterRequest {
  /** Absolute files, in order: the first that is an executable regular file wins. */
  readonly files: readonly string[]
  /** Bare names, in order, for the caller's `PATH`. */
  readonly names: readonly string[]
  /** An argument vector whose first line of output is the absolute path (bounded to 5 s). */
  readonly command: readonly string[] | null
}

/** Absolute path, or undefined when there is none. */
type InterpreterFinder = (request: InterpreterRequest) => Promise<string | undefined>

export interface SiblingSource {
  /** Regular files below a directory, as relative paths with `/`; a link is never one. `refuse` throws at a link, `skip` passes it over. */
  list(
    directory: string,
    options: { readonly recursive: boolean; readonly links: 'refuse' | 'skip' },
  ): Promise<readonly string[]>
  /** One read of one file of that space, with what trust says about the bytes. */
  read(
    path: string,
    space: Space,
  ): Promise<{ readonly bytes: Uint8Array; readonly digest: string; readonly verdict: Verdict }>
}

/** One verified file of `.ai/config`, parsed. */
export interface ConfigLayer {
  readonly space: Space
  readonly data: Metadata
}

/** Everything planning may ask of the world. Nothing here starts the tool. */
export interface PlanContext {
  readonly projectPath: string
  /** The directories that hold the `.ai/` of the user and of the package. */
  readonly userSpace: string
  readonly systemSpace: string
  /** Where private copies live. */
  readonly copiesRoot: string
  /** The caller's environment; almost none of it reaches the child. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Content of the project's `.env`, or null. */
  readonly dotenv: string | null
  /** The Node that runs this program. */
  readonly nodePath: string
  /** The caller's limit, or null. */
  readonly timeoutMs: number | null
  readonly lookup: ToolLookup
  readonly findInterpreter: InterpreterFinder
  readonly matchesPattern: PatternMatcher
  /** Compiled parameter schemas, kept between calls. */
  readonly schemas: ParameterSchemas
  readonly siblings: SiblingSource
  /** The verified layers of `.ai/config/{path}`, in any order. */
  readonly readConfig: (path: string) => Promise<readonly ConfigLayer[]>
  /** Whether `rye/core/*` may be taken from the project or user space; a policy of the user. */
  readonly coreShadowing: 'refuse' | 'allow'
}
