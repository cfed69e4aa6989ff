// What `execute` answers with: one shape for each type of item, and others for dry runs.
import type { ErrorCode, JsonObject, JsonValue } from '../../../base/index.ts'
import type { RunOutcome } from '../../../execute/index.ts'
import type { SignedType } from '../../../item/index.ts'
import type { Plan } from '../../../plan/index.ts'
import type { LinkedSkill } from '../../../skills/index.ts'

export type ExecuteAnswer =
  | ToolAnswer
  | ToolFailure
  | ToolDryRun
  | DirectiveAnswer
  | DirectiveDryRun
  | KnowledgeAnswer
  | SkillAnswer

interface ToolFacts {
  readonly type: 'tool'
  readonly item_id: string
  /** For a function of a skill: what it declares about its effects. */
  readonly annotations?: ToolAnnotations
}

interface RunFacts extends ToolFacts {
  /**
   * Over 16 KB: `{size, id, head, tail}`. If one member is long, also `of` (its name) and the other members.
   */
  readonly data: JsonValue
  readonly duration_ms: number
  /**
   * Set when an item is older than the one used before, the run could not be recorded, its long output could
   * not be kept, its JSON is not UTF-8, or an interpreter of the project was not used.
   */
  readonly warning?: string
}

/** How the tool was run. Present with `trace`, and when it failed. */
export interface RunEvidence {
  /** Tool first, primitive last. */
  readonly chain: Plan['chain']
  /** How the tool was isolated; `none` when nothing was started on this machine. */
  readonly isolation: RunOutcome['isolation']
  /** The first 20 hosts and ports that it was refused, if any. */
  readonly refused_hosts?: readonly string[]
  /** Identifies the run in the log; null when it could not be recorded. */
  readonly receipt: string | null
}

export interface ToolAnswer extends RunFacts, Partial<RunEvidence> {
  readonly status: 'success'
  /** With `trace`: how the tool was resolved. */
  readonly trace?: JsonObject
  /** With `trace`: what the tool wrote besides its answer. */
  readonly printed?: Extract<RunOutcome, { status: 'success' }>['printed'] & object
}

/** The tool ran, or was about to, and failed; `data` is the evidence. */
export interface ToolFailure extends RunFacts, RunEvidence {
  readonly trace?: JsonObject
  readonly status: 'error'
  readonly error: string
  readonly code: ErrorCode
  readonly hint?: string
  readonly item_type: SignedType
}

export interface ToolDryRun extends ToolFacts {
  readonly chain: Plan['chain']
  readonly trace?: JsonObject
  readonly status: 'validation_passed'
  readonly message: string
  readonly validated_pairs: number
  readonly parameters: JsonObject
  /** For people to read. */
  readonly plan: string
  readonly warning?: string
}

/** For an agent, when the text is over 64 KB: its size in bytes, where `load` reads on, and how. */
export interface TextPage {
  readonly size?: number
  readonly next_offset?: number
  readonly hint?: string
}

/** Shared by the types that answer with their text. */
interface Told {
  /** Set when the item is older than the one used before, or when it is unknown what was used before. */
  readonly warning?: string
}

export interface DirectiveAnswer extends Told, TextPage {
  readonly status: 'success'
  readonly type: 'directive'
  readonly item_id: string
  readonly your_directions: string
  readonly inputs: JsonObject
  readonly metadata: JsonObject
}

export interface DirectiveDryRun extends Told {
  readonly status: 'validation_passed'
  readonly message: string
  readonly type: 'directive'
  readonly item_id: string
  readonly inputs: JsonObject
}

export interface KnowledgeAnswer extends Told, TextPage {
  readonly status: 'success'
  readonly type: 'knowledge'
  readonly item_id: string
  readonly content: string
  readonly metadata: JsonObject
}

export interface SkillAnswer extends Told {
  readonly status: 'success'
  readonly type: 'skill'
  readonly item_id: string
  readonly content: string
  /**
   * When the text is over 64 KB: the size of its file in bytes, and the offset at which `load` reads on;
   * `hint` says how.
   */
  readonly size?: number
  readonly next_offset?: number
  readonly tools: readonly {
    /** To pass to `execute`. */
    readonly item_id: string
    readonly description: string
    readonly input_schema: JsonObject
    readonly annotations: ToolAnnotations
  }[]
  readonly references: readonly {
    /** To pass to `load`. */
    readonly item_id: string
    readonly ref_name: string
    readonly title: string
    readonly path: string
  }[]
  readonly files: readonly {
    /** To pass to `load`, and to `execute` if it is a program. */
    readonly item_id: string
    /** Relative to the skill's folder. */
    readonly path: string
    readonly size: number
    readonly kind: 'text' | 'binary'
    readonly program: boolean
  }[]
  /** How many entries each list lacks because there are too many; `hint` says how to get all names. */
  readonly left_out?: { readonly tools: number; readonly references: number; readonly files: number }
  readonly hint?: string
  readonly metadata: JsonObject
}

export type ToolAnnotations = LinkedSkill['payload']['skill_tools'][string]['tool']['annotations']
