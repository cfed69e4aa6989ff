// A plan is everything that running a tool needs, decided: it can be printed (`dry_run`), explained (`trace`),
// tested and refused. Only `execute/` turns it into processes and sockets.
import type { JsonObject, JsonValue } from '../base/index.ts'
import type { Space } from '../item/index.ts'
import type { Metadata } from '../parse/index.ts'
import type { Verdict } from '../trust/index.ts'

/** A chain element that has been read once and verified. */
export interface VerifiedTool {
  readonly id: string
  readonly space: Space
  /** Where it was read; never opened again. */
  readonly path: string
  readonly extension: string
  /** Exactly the bytes that were verified. */
  readonly bytes: Uint8Array
  /** SHA-256 of those bytes. */
  readonly digest: string
  readonly verdict: Verdict
  readonly metadata: Metadata
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
export interface SnapshotFile {
  /** Below the snapshot's directory, with `/`. */
  readonly path: string
  readonly bytes: Uint8Array
}

export interface Snapshot {
  /** Digest over all files: equal snapshots share one directory. */
  readonly digest: string
  readonly directory: string
  readonly files: readonly SnapshotFile[]
}

export type Invocation =
  /** A process of its own: argument vector, no shell, standard input given. */
  | {
      readonly kind: 'process'
      readonly command: string
      readonly args: readonly string[]
      readonly stdin: string
      readonly cwd: string
      readonly snapshot: Snapshot | null
    }
  /** A function in a warm worker: the worker compiles these bytes, not a file. */
  | {
      readonly kind: 'function'
      readonly host: 'python' | 'node'
      readonly command: string
      readonly functionName: string
      /** `params`: execute(params, project_path); `keywords`: function(**params). */
      readonly call: 'params' | 'keywords'
      readonly source: Uint8Array
      readonly digest: string
      readonly snapshot: Snapshot | null
      readonly cwd: string
    }
  | {
      readonly kind: 'http'
      readonly method: string
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      readonly body: JsonValue | null
      readonly retry: { readonly attempts: number; readonly backoff: 'exponential' | 'linear' }
      readonly allowPrivate: boolean
    }
  | {
      readonly kind: 'mcp'
      readonly server: McpServer
      readonly toolName: string
    }

export type McpServer =
  | {
      readonly id: string
      readonly transport: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
      readonly cwd: string
    }
  | {
      readonly id: string
      readonly transport: 'http'
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      readonly allowPrivate: boolean
    }

export interface Plan {
  readonly itemId: string
  readonly projectPath: string
  readonly elements: readonly VerifiedTool[]
  readonly chain: readonly ChainLink[]
  readonly validatedPairs: number
  /** Validated, defaults applied; reaches the tool byte for byte. */
  readonly parameters: JsonObject
  readonly invocation: Invocation
  /** The whole environment of the child: an allow-list and what the chain declares. */
  readonly environment: Readonly<Record<string, string>>
  /** Which element added which variables: element id → names. */
  readonly environmentOrigins: ReadonlyMap<string, readonly string[]>
  /** Values that must not appear in answers. */
  readonly secrets: readonly string[]
  readonly timeoutMs: number
  readonly concurrency: 'shared' | 'exclusive'
  /** What the tool declares it needs; the sandbox grants no more. */
  readonly permissions: { readonly network: boolean; readonly write: readonly string[] }
}
