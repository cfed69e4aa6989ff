// Whether an item that is about to be used is older than what was used of it before: shown with its verdict, said with the answer, and
// refused where the user's policy says so. Items of the system are those of the installed package, and are not remembered.
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
  /** Of a file beside a tool, which may be one of several with the same id. */
  readonly besideTool?: { readonly extension: string }
}

interface Options {
  readonly used: UsedItems
  /** The folders whose `.ai` holds the items of a space. */
  readonly folders: {
    readonly project: string | undefined
    readonly user: string
    /** The cache of the catalogue, where there is one. */
    readonly shared?: string | undefined
  }
  readonly policy: Pick<UserPolicy, 'rollback'>
  readonly keys: TrustContext['keys']
}

/** One call's use of the memory. */
export class UseMemory {
  readonly #options: Options
  readonly #warnings = new Set<string>()
  /** Of each space, as of the first use in this call; or why it cannot be read. */
  readonly #known = new Map<Space, Recollection | AppError>()

  constructor(options: Options) {
    this.#options = options
  }

  get refuses(): boolean {
    return this.#options.policy.rollback === 'refuse'
  }

  /** Whether something was used before that this verdict can be compared with. */
  knows(file: UsedFile, verdict: Verdict): boolean {
    return signedUse(verdict, undefined) !== undefined && this.#recall(file) !== undefined
  }

  /** The verdict, with what was used before if that was newer. A memory that cannot be read is a warning. */
  look(file: UsedFile, verdict: Verdict, version: string | undefined): Verdict {
    const use = signedUse(verdict, version)
    const known = use && this.#recall(file)
    const from = known && rolledBackFrom(use, known)
    return from ? { ...verdict, rolled_back_from: from } : verdict
  }

  /** The same; refuses an older one under that policy, and then also where nobody can tell whether it is older. */
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
   * The same, and remembers the use; `finish` writes it. Where older items are refused nothing is forgotten for it: whoever can make
   * many items could have any of them forgotten.
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

  /** A person signed the item: from now on this is the newest. */
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

  /** Writes what was used, and returns what the caller has to be told. */
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

  /** Something else that the caller has to know about what was used. */
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

  /** Once in a call: a search asks for a hundred items. */
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
    // What others made is accepted again: a signature would change their file.
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

/** As in `version 2.0.0, signed 2026-01-31T10:00:00Z`. */
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
      agent: 'only the user may let what was used be forgotten: tell them',
      person: 'remove that file to begin anew; what was used before is then not known',
    },
  })
}

function usedName({ type, id, besideTool }: UsedFile): string {
  return besideTool ? `file:${id}${besideTool.extension}` : `${type}:${id}`
}
