// Whether an item that is about to be used is older than what was used of it before. This is shown with its
// verdict, reported with the answer, and refused if the user's policy says so. System items are those of the
// installed package, and are not remembered.
import { AppError, countOf, quoteShellWord } from '../base/index.ts'
import type { SignedType, Space } from '../item/index.ts'
import {
  comparable,
  type RolledBackFrom,
  rolledBackFrom,
  type SignedUse,
  signedUse,
  type TrustContext,
  type Verdict,
} from '../trust/index.ts'
import type { Recollection, UsedItems, UserPolicy } from '../user/index.ts'
import { signCommand } from './sign-command.ts'

/** An item, or a file beside one. */
export interface UsedFile {
  readonly type: SignedType
  readonly id: string
  readonly space: Space
  readonly path: string
  /** Set for a file beside a tool, which may be one of several with the same id. */
  readonly besideTool?: { readonly extension: string }
}

interface Options {
  readonly used: UsedItems
  /** The folders whose `.ai` holds the items of a space. */
  readonly folders: {
    readonly project: string | undefined
    readonly user: string
    /** The cache of the catalogue, if there is one. */
    readonly shared?: string | undefined
  }
  readonly policy: Pick<UserPolicy, 'rollback'>
  readonly keys: TrustContext['keys']
}

/** One call's use of the memory. */
export class UseMemory {
  readonly #options: Options
  readonly #warnings = new Set<string>()
  /** Per space: the memory as of its first use in this call, or why it cannot be read. */
  readonly #known = new Map<Space, Recollection | AppError>()

  constructor(options: Options) {
    this.#options = options
  }

  get refuses(): boolean {
    return this.#options.policy.rollback === 'refuse'
  }

  /** Whether there is an earlier use to compare this verdict with. */
  knows(file: UsedFile, verdict: Verdict): boolean {
    return signedUse(verdict, undefined) !== undefined && this.#recall(file) !== undefined
  }

  /** The verdict, with what was used before if that was newer. Warns when the memory cannot be read. */
  look(file: UsedFile, verdict: Verdict, version: string | undefined): Verdict {
    const use = signedUse(verdict, version)
    const known = use && this.#recall(file)
    const from = known && rolledBackFrom(use, known)
    return from ? { ...verdict, rolled_back_from: from } : verdict
  }

  /** Like `look`, but under the policy `refuse` throws if the item is older, or the memory is unreadable. */
  check(file: UsedFile, verdict: Verdict, version: string | undefined): Verdict {
    const looked = this.look(file, verdict, version)
    const known = signedUse(verdict, version) && this.#lookAt(file.space)
    if (known instanceof AppError && this.refuses) throw known
    if (looked.rolled_back_from) {
      if (this.refuses) throw this.#refusal(file, looked)
      this.#warnings.add(
        `\`${usedName(file)}\` ${describeRollback(looked.rolled_back_from)}: \`${file.path}\``,
      )
    }
    return looked
  }

  /**
   * Like `check`, but also remembers the use; `finish` writes it. When older items are refused, nothing is
   * forgotten to make room: otherwise anyone who can make many items could have any item forgotten.
   */
  use(file: UsedFile, verdict: Verdict, version: string | undefined): Verdict {
    const checked = this.check(file, verdict, version)
    const use = signedUse(verdict, version)
    const known = use && this.#lookAt(file.space)
    if (typeof known === 'function') {
      const memory = this.#memoryOf(file.space)
      const full = this.refuses && !known(usedName(file)) ? memory?.fullness() : undefined
      if (full !== undefined) throw cannotRemember(file, full)
      memory?.use(usedName(file), use!, known)
    }
    return checked
  }

  /** Makes this use the newest, because a person signed the item. */
  async accept(
    file: UsedFile,
    signed: Pick<SignedUse, 'timestamp' | 'format' | 'hash'>,
    version: string | undefined,
  ): Promise<void> {
    try {
      await this.#memoryOf(file.space)?.accept(usedName(file), { ...signed, ...comparable(version) })
    } catch (thrown) {
      this.#note(thrown)
    }
  }

  /** Writes what was used, and returns warnings for the caller. */
  async finish(): Promise<readonly string[]> {
    const { used, folders } = this.#options
    for (const folder of new Set([folders.project, folders.user, folders.shared])) {
      if (folder === undefined) continue
      try {
        const forgotten = await used.in(folder).save({ mayForget: !this.refuses })
        if (forgotten > 0)
          this.#warnings.add(`no longer remembered as used in \`${folder}\`: ${countOf(forgotten, 'item')}`)
      } catch (thrown) {
        this.#note(thrown)
      }
    }
    return this.warnings
  }

  /** Adds a warning for the caller about something that was used. */
  warn(text: string): void {
    this.#warnings.add(text)
  }

  get warnings(): readonly string[] {
    return [...this.#warnings]
  }

  #memoryOf(space: Space) {
    const { used, folders } = this.#options
    const folder = space === 'system' ? undefined : folders[space]
    return folder === undefined ? undefined : used.in(folder)
  }

  #recall(file: UsedFile): SignedUse | undefined {
    const known = this.#lookAt(file.space)
    return typeof known === 'function' ? known(usedName(file)) : undefined
  }

  /** Read once per call, as a search asks for a hundred items. */
  #lookAt(space: Space): Recollection | AppError | undefined {
    const known = this.#known.get(space) ?? this.#read(space)
    if (known) this.#known.set(space, known)
    return known
  }

  #read(space: Space): Recollection | AppError | undefined {
    try {
      return this.#memoryOf(space)?.look()
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      this.#warnings.add(thrown.message)
      return thrown
    }
  }

  #refusal(file: UsedFile, verdict: Verdict): AppError {
    const { folders, keys } = this.#options
    const { type, id, path } = file
    const signers = { userSpace: folders.user, keys }
    // Somebody else's item is accepted again instead: a signature would change their file.
    const { command } = verdict.approved
      ? { command: addCommand(verdict.approved) }
      : signCommand({ file, verdict, bytes: new Uint8Array() }, signers)
    return new AppError(
      'ITEM_ROLLED_BACK',
      `\`${type}:${id}\` ${describeRollback(verdict.rolled_back_from!)}: \`${path}\``,
      {
        hint: {
          agent: `restore the newer one; only the user may go back to this one: \`${command}\` on the command line`,
          person: `restore the newer one; or go back on purpose: ${command}`,
        },
        details: { trust: verdict, item_type: type, item_id: id, path },
      },
    )
  }

  #note(thrown: unknown): void {
    if (!(thrown instanceof AppError)) throw thrown
    this.#warnings.add(thrown.message)
  }
}

/** For example `is older than what was used before: version 2.0.0, signed 2026-01-31T10:00:00Z`. */
export function describeRollback({ version, timestamp }: RolledBackFrom): string {
  const what = version === undefined ? 'one' : `version ${version}`
  return `is older than what was used before: ${what}, signed ${timestamp}`
}

function addCommand({ source, revision }: NonNullable<Verdict['approved']>): string {
  const ref = revision === undefined || revision.startsWith('sha256-') ? [] : ['--ref', revision]
  return ['rye add', ...[source, ...ref].map(quoteShellWord)].join(' ')
}

function cannotRemember(file: UsedFile, full: string): AppError {
  return new AppError('POLICY_DENIED', `\`${usedName(file)}\` cannot be remembered as used: ${full}`, {
    hint: {
      agent: 'only the user may clear the record of used items: tell them',
      person: 'remove that file to start over; earlier uses are then forgotten',
    },
  })
}

function usedName({ type, id, besideTool }: UsedFile): string {
  return besideTool ? `file:${id}${besideTool.extension}` : `${type}:${id}`
}
