// A plan holds every decision about running a tool, so it can be printed (`dry_run`), explained (`trace`),
// tested and refused. Only `execute/` turns it into processes and sockets.
import type { Diagnostic, JsonObject, JsonValue } from '../base/index.ts'
import type { Space } from '../item/index.ts'
import type { Metadata } from '../parse/index.ts'
import type { Verdict } from '../trust/index.ts'
import type { ParameterSchemas, PatternMatcher } from './parameters/parameters.ts'
import type { FunctionHost, PrivateArguments } from './private-arguments.ts'

/** An element of a chain, read once and verified. */
export interface VerifiedTool {
  readonly id: string
  readonly space: Space
  /** The path it was read from. It is never opened again. */
  readonly path: string
  /** With its dot, lower case. */
  readonly extension: string
  /** Exactly the bytes that were verified. */
  readonly bytes: Uint8Array
  /** SHA-256 of those bytes. */
  readonly digest: string
  readonly verdict: Verdict
  /** With the standard names (`executor_id`, `config_schema`, ...), whatever the file's language. */
  readonly metadata: Metadata
  /** What the parser noticed. Distinguishes an element that could not be read from an empty one. */
  readonly diagnostics: readonly Diagnostic[]
  /** Spaces of lower precedence that hold an item of this id. */
  readonly shadows: readonly Space[]
}

/** What an answer shows about an element. */
export interface ChainLink {
  readonly item_id: string
  readonly space: Space
  readonly tool_type: string | null
}

export interface CopiedFile {
  /** Below the copy's directory, with `/`. */
  readonly path: string
  readonly bytes: Uint8Array
  /** Data that the program reads, not code: written unchanged, whatever its extension. */
  readonly isData?: boolean
}

/** The files that an interpreter reads: a copy of verified bytes that nobody else can change. */
export interface PrivateCopy {
  /** Digest over all paths and contents: equal copies share one directory. */
  readonly digest: string
  /** `{copiesRoot}/{digest}`: never changed once written. */
  readonly directory: string
  readonly files: readonly CopiedFile[]
}

/** A separate process: an argument vector, no shell, and the text for its standard input. */
export interface ProcessInvocation {
  readonly kind: 'process'
  /** An absolute path, or a name on the child's `PATH`. */
  readonly command: string
  readonly args: readonly string[]
  readonly privateArgs: PrivateArguments | null
  readonly stdin: string
  readonly cwd: string
  readonly privateCopy: PrivateCopy | null
  /** The language of the program, if its runtime declares one. `node` strips types from TypeScript. */
  readonly host: FunctionHost | null
  readonly packages: ProjectPackages
  readonly origin?: CopyOrigin
  /** Selects the package cache that it gets, if it fetches packages. */
  readonly packageOwner?: string
}

/** Where a private copy comes from. A failure that names the copy shows the original instead. */
export interface CopyOrigin {
  readonly copy: string
  readonly original: string
}

/** A function, called in a warm worker that compiles these bytes, not a file. */
export interface FunctionInvocation {
  readonly kind: 'function'
  readonly host: FunctionHost
  readonly command: string
  readonly functionName: string
  /** `params`: execute(params, project_path); `keywords`: function(**params). */
  readonly call: 'params' | 'keywords'
  readonly source: Uint8Array
  readonly digest: string
  /** The value of `__file__`: the tool's path in the private copy, whether or not the copy is written. */
  readonly filename: string
  /** Null if the tool has no siblings: then nothing needs to be on disk. */
  readonly privateCopy: PrivateCopy | null
  readonly cwd: string
  readonly packages: ProjectPackages
  /** Set when the worker serves only this call. */
  readonly once?: true
  readonly origin?: CopyOrigin
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

/** One of our own actions, run in this process on behalf of the tool's caller. */
export interface ActionInvocation {
  readonly kind: 'action'
  readonly action: string
  /** Checked by the action. */
  readonly input: JsonObject
}

export type Invocation =
  | ProcessInvocation
  | FunctionInvocation
  | HttpInvocation
  | McpInvocation
  | ActionInvocation

export type McpServer =
  | {
      readonly id: string
      /** Digest of the server's item, so that a changed definition gets a new connection. */
      readonly digest: string
      readonly transport: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      /** The whole environment of the server's process. */
      readonly env: Readonly<Record<string, string>>
      readonly cwd: string
      /** Whether `command`, given as a bare name, may resolve to a program inside the project. */
      readonly mayUseProject: boolean
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
  /** Verified items besides the chain, such as the definition of an MCP server. */
  readonly references: readonly VerifiedTool[]
  readonly chain: readonly ChainLink[]
  readonly validatedPairs: number
  /** Validated, with defaults filled in. The tool gets exactly these. */
  readonly parameters: JsonObject
  readonly invocation: Invocation
  /** The whole environment of the child: allow-listed variables, and those that the chain declares. */
  readonly environment: Readonly<Record<string, string>>
  /** Who added which variables: `caller`, `parameters`, `.env` or an element's id → names. */
  readonly environmentOrigins: ReadonlyMap<string, readonly string[]>
  /** Values that must not appear in answers. */
  readonly secrets: readonly string[]
  readonly timeoutMs: number
  readonly concurrency: 'shared' | 'exclusive'
  /** What the tool declares it needs; the sandbox grants no more. */
  readonly permissions: Permissions
  /** Sibling files that are not in the private copy, and why. */
  readonly leftOut: readonly LeftOut[]
  /** What the user may want to know, such as a project interpreter that was not used. */
  readonly notes: readonly string[]
}

/** Whether a JavaScript tool may import the project's packages, which are code that nobody verified. */
export interface ProjectPackages {
  readonly allowed: boolean
  /** Why not, and what would allow it. Completes a sentence that says what was found. */
  readonly refusal: string
}

export interface Permissions {
  /** The only hosts that the tool may reach (`network/hosts.ts`). If none, its network is closed. */
  readonly network: readonly string[]
  /** Absolute paths, besides the project, that the tool may write to. */
  readonly write: readonly string[]
  /** Limits lower than the user's, for a tool that needs less. */
  readonly limits?:
    | { readonly memory_mb?: number; readonly processes?: number; readonly file_mb?: number }
    | undefined
}

export interface LeftOut {
  readonly path: string
  readonly reason: string
}

/** Finds a tool in the given space or one of lower precedence. Throws if that tool does not verify. */
export type ToolLookup = (id: string, from: Space) => Promise<VerifiedTool | undefined>

/** Where to look for an interpreter: first files, then names on `PATH`, then what a command prints. */
export interface InterpreterRequest {
  /** Where programs on `PATH` are ignored: the project, unless its own programs are allowed. */
  readonly outside?: string | undefined
  /** Absolute paths; the first executable regular file is taken. */
  readonly files: readonly string[]
  /** Names to look for on the caller's `PATH`, in this order. */
  readonly names: readonly string[]
  /** A command that prints the absolute path as its first line, within 5 s. */
  readonly command: readonly string[] | null
}

/** The absolute path, or undefined if there is none. */
type InterpreterFinder = (request: InterpreterRequest) => Promise<string | undefined>

export interface SiblingSource {
  /** True in development mode, for tools of the project. */
  readonly acceptsUnsigned?: boolean
  /**
   * Lists the regular files below a directory, as relative paths with `/`. Links are never listed: `refuse`
   * throws at a link, `skip` ignores it.
   */
  list(
    directory: string,
    options: { readonly recursive: boolean; readonly links: 'refuse' | 'skip' },
  ): Promise<readonly string[]>
  /** Reads one file of that space, once, and verifies its bytes. */
  read(
    path: string,
    space: Space,
  ): Promise<{ readonly bytes: Uint8Array; readonly digest: string; readonly verdict: Verdict }>
}

/** One verified file of `.ai/config`, parsed. */
export interface ConfigLayer {
  readonly space: Space
  readonly data: Metadata
  /** Set when an agent had it signed without asking a person. */
  readonly by_agent?: true
}

/** The checked input of an action for tools; undefined if unknown. Throws if the parameters do not fit. */
export type ActionReader = (
  action: string,
  parameters: JsonObject,
  projectPath: string,
) => Promise<JsonObject | undefined>

/** Everything that planning needs from outside. Nothing here starts the tool. */
export interface PlanContext {
  readonly projectPath: string
  /** The directories that hold the `.ai/` of the user and of the package. */
  readonly userSpace: string
  readonly systemSpace: string
  /** Where private copies live. */
  readonly copiesRoot: string
  /** The caller's environment; almost none of it reaches the child. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Reads the project's `.env`, or null if there is none. Called only for a name that may come from it. */
  readonly readDotenv: () => string | null
  /** The Node that runs this program. */
  readonly nodePath: string
  /** The caller's limit, or null if it sets none. */
  readonly timeoutMs: number | null
  readonly lookup: ToolLookup
  readonly findInterpreter: InterpreterFinder
  readonly matchesPattern: PatternMatcher
  /** Compiled parameter schemas, kept between calls. */
  readonly schemas: ParameterSchemas
  readonly siblings: SiblingSource
  /** The verified layers of `.ai/config/{path}`, in any order. */
  readonly readConfig: (path: string) => Promise<readonly ConfigLayer[]>
  /** Absent where no action can be run. */
  readonly readAction?: ActionReader | undefined
  /** User policy: whether `rye/core/*` may be taken from the project or user space. */
  readonly coreShadowing: 'refuse' | 'allow'
  /**
   * User policy: whether the project's interpreters (`.venv`) and packages (`node_modules`) may run in its
   * tools, and whether also in tools that are given secrets.
   */
  readonly projectInterpreters: 'refuse' | 'allow' | 'with-secrets'
  /** User policy: whether `uv` may fetch the packages that a skill's script names. */
  readonly scriptPackages: 'refuse' | 'uv'
}
