// `registry pull`: writes the items of a bundle into the project, all or none, and records them in its lock.
// Pulling makes nobody trusted. It only requires items to be signed, because development mode would run an
// unsigned one.
import { AppError, countOf } from '../../base/index.ts'
import { folderOf } from '../../item/index.ts'
import { type BundleItem, type Files, itemsOf } from '../../registry/index.ts'
import type { Workspace } from '../../workspace/index.ts'
import { type ActionContext, defineAction } from '../definition/action.ts'
import type { CallInput, Fields, InputOf } from '../definition/field-spec.ts'
import { projectPath } from '../definition/shared-fields.ts'
import { callRegistry, type RegistryCall } from '../registry/call-registry.ts'
import { otherRegistry, packageName, seconds } from '../registry/fields.ts'
import { refuseAcceptance, refuseOtherSigners, rememberSigners } from '../registry/known-signers.ts'
import { type OpenedBundle, openBundle } from '../registry/open-bundle.ts'
import { type ProjectFiles, projectFiles } from '../registry/project-files.ts'
import { changeSpace } from './apply-change.ts'
import { changeOfBundle } from './taken-bundle.ts'
import { targetOf } from './target.ts'

const PULL_FIELDS = {
  package: packageName,
  version: { type: 'string', about: 'an exact version or a tag', default: 'latest', flag: { value: 'V' } },
  overwrite: { type: 'boolean', about: 'replace files of the project that differ', default: false },
  accept_signer: {
    type: 'string',
    about: 'fingerprint of a key that may sign items which came from another key before; for people',
    flag: { value: 'KEY' },
  },
  dry_run: { type: 'boolean', about: 'only list the files', default: false },
  registry: otherRegistry,
  timeout: seconds,
  project_path: projectPath,
} as const satisfies Fields

type Input = InputOf<typeof PULL_FIELDS>

export type RegistryPullInput = CallInput<typeof PULL_FIELDS>

export interface RegistryPullAnswer {
  readonly registry: string
  readonly package: string
  readonly version: string
  readonly integrity: string
  /** Each as `TYPE:ID`. */
  readonly items: readonly string[]
  readonly written: readonly string[]
  readonly overwritten: readonly string[]
  readonly unchanged: readonly string[]
  /**
   * Files in the folder of a skill that the bundle lacks: with them, the skill differs from the one that was
   * signed.
   */
  readonly left_over: readonly string[]
  /** Files in the archive that are not items. */
  readonly ignored: readonly string[]
  readonly dry_run: boolean
  readonly note: string
}

const MOST_SHOWN = 20
const UNTRUSTED =
  'an item counts only if its signer is trusted here. A person checks them all with `rye verify` and decides about keys (`rye keys trust KEY.toml`)'

export const registryPull = defineAction({
  name: 'registry pull',
  description: 'Write the items of a bundle in an npm registry into the project, all or none.',
  effects: { readOnly: false, destructive: true, openWorld: true },
  fields: PULL_FIELDS,
  run: (context, input): Promise<RegistryPullAnswer> => {
    refuseAcceptance(context, input.accept_signer)
    return callRegistry(context, input, call => pull(context, input, call))
  },
})

async function pull(context: ActionContext, input: Input, { registry, workspace }: RegistryCall) {
  const reach = progressOf(context)
  const bundle = await openBundle(registry, {
    ...input,
    form: 'exact or tag',
    onShare: (version, share) => reach(`pulling ${input.package}@${version}`, 90 * share),
  })
  const message = `pulling ${bundle.package}@${bundle.version}`
  const project = projectFiles(workspace)
  const { items, strays } = itemsOf(bundle.files, workspace.extractors)
  refuseUnsigned(bundle, { items, strays }, workspace)
  const judge = () => {
    const changes = compare(project, bundle.files, items)
    refuseConflicts(bundle, changes, input.overwrite)
    refuseOtherSigners(workspace, arrivals(items, project, workspace), input.accept_signer)
    return changes
  }
  const target = targetOf(workspace, 'project')
  const write = () =>
    changeSpace(context.library, target, async apply => {
      // Judged only now, because an earlier change may have written to the project.
      const changes = judge()
      const taken = { ...bundle, asked: input.version, only: [], items }
      const onShare = (share: number) => reach(message, 90 + 9 * share)
      apply({ ...changeOfBundle(target, taken, workspace.trust), onShare })
      const origin = { package: bundle.package, registry: registry.registry.url.href }
      await rememberSigners(workspace, items, origin)
      return changes
    })
  const changes = input.dry_run ? judge() : await write()
  reach(message, 100)
  return {
    package: bundle.package,
    version: bundle.version,
    integrity: bundle.integrity,
    items: items.map(({ ref }) => ref),
    written: shown(changes.wanted.keys()),
    overwritten: shown(changes.differing),
    unchanged: shown(changes.unchanged),
    left_over: shown(changes.leftOver),
    ignored: bundle.others.slice(0, MOST_SHOWN),
    dry_run: input.dry_run,
    note: noteOn({ ...input, changes }, countUntrusted(items, workspace)),
  }
}

function noteOn(
  { dry_run, changes }: Pick<Input, 'dry_run'> & { readonly changes: Changes },
  untrusted: number,
): string {
  const done = dry_run
    ? 'a dry run: nothing was written'
    : changes.wanted.size === 0
      ? 'all of it was there already'
      : 'written'
  return untrusted === 0
    ? `${done}; every item is signed by a key that is trusted here`
    : `${done}, not trusted: ${UNTRUSTED}`
}

function countUntrusted(items: readonly BundleItem[], { trust, projectPath }: Workspace): number {
  return items.filter(item => item.judge(trust, projectPath).status !== 'verified').length
}

/** Reports whole percents, each once. */
function progressOf({ onProgress }: ActionContext): (message: string, percent: number) => void {
  let said = 0
  return (message, percent) => {
    const done = Math.floor(percent)
    if (done <= said) return
    said = done
    onProgress({ message, done, total: 100 })
  }
}

function refuseUnsigned(
  bundle: OpenedBundle,
  { items, strays }: ReturnType<typeof itemsOf>,
  { trust }: Workspace,
): void {
  const name = `${bundle.package}@${bundle.version}`
  if (bundle.files.size === 0) {
    const message = `\`${name}\` holds no items: expected files below .ai/directives, tools, knowledge or skills`
    throw new AppError('ITEM_NOT_FOUND', message)
  }
  const judged = items.map(({ path, judge }) => ({ path, ...judge(trust) }))
  const bare = judged.filter(({ signer }) => signer === null).map(({ path }) => path)
  const unsigned = [...bare, ...strays].sort()
  if (unsigned.length > 0)
    throw new AppError(
      'ITEM_UNSIGNED',
      `\`${name}\` was not pulled: ${countOf(unsigned.length, 'file')} ${unsigned.length === 1 ? 'is' : 'are'} not signed`,
      { details: { unsigned: shown(unsigned) } },
    )
  const changed = judged.filter(({ status }) => status === 'tampered' || status === 'malformed')
  if (changed.length > 0)
    throw new AppError(
      'ITEM_TAMPERED',
      `\`${name}\` was not pulled: ${countOf(changed.length, 'item')} ${changed.length === 1 ? 'is' : 'are'} not what was signed`,
      { details: { tampered: changed.map(({ path, reason }) => `.ai/${path}: ${reason}`) } },
    )
}

interface Changes {
  readonly unchanged: readonly string[]
  readonly differing: readonly string[]
  readonly rivals: readonly string[]
  readonly wanted: Files
  readonly leftOver: readonly string[]
}

function compare(project: ProjectFiles, files: Files, items: readonly BundleItem[]): Changes {
  const present = new Map([...files.keys()].map(path => [path, project.read(path)]))
  const isSame = (path: string, bytes: Uint8Array) => Buffer.compare(present.get(path) ?? EMPTY, bytes) === 0
  const entries = [...files].map(([path, bytes]) => ({
    path,
    bytes,
    isThere: present.get(path) !== undefined,
  }))
  const unchanged = entries.filter(({ path, bytes, isThere }) => isThere && isSame(path, bytes))
  const differing = entries.filter(({ path, bytes, isThere }) => isThere && !isSame(path, bytes))
  const kept = new Set(unchanged.map(({ path }) => path))
  const skills = new Set(items.filter(({ type }) => type === 'skill').map(({ path }) => path))
  return {
    unchanged: [...kept],
    differing: differing.map(({ path }) => path),
    rivals: [...files.keys()].flatMap(path => {
      const rivals = skills.has(path) ? project.skillRivals(path) : project.rivals(path, files)
      return rivals.filter(rival => !files.has(rival)).map(rival => `.ai/${path} (there is .ai/${rival})`)
    }),
    wanted: new Map([...files].filter(([path]) => !kept.has(path))),
    leftOver: leftOver(items, project, files),
  }
}

const EMPTY = new Uint8Array()

function refuseConflicts(
  { package: name, version }: OpenedBundle,
  changes: Changes,
  overwrite: boolean,
): void {
  const { differing, rivals, unchanged } = changes
  if (rivals.length === 0 && (differing.length === 0 || overwrite)) return
  const fix = rivals.length > 0 ? 'rename or remove them' : 'look at them, then pull with overwrite: true'
  const count = differing.length + rivals.length
  throw new AppError(
    'ITEM_EXISTS',
    `\`${name}@${version}\` was not pulled: ${countOf(count, 'file')} of the project ${count === 1 ? 'stands' : 'stand'} in its way; ${fix}`,
    { details: { conflicts: [...shown(differing), ...rivals], unchanged: shown(unchanged) } },
  )
}

/** Each item with its signer, and the signer of the item that it would replace. */
function arrivals(items: readonly BundleItem[], project: ProjectFiles, { trust, extractors }: Workspace) {
  return items.map(item => {
    const there = new Map(
      item.paths.flatMap(path => {
        const bytes = project.read(path)
        return bytes === undefined ? [] : [[path, bytes] as const]
      }),
    )
    const before = itemsOf(there, extractors).items.find(({ ref }) => ref === item.ref)
    return { item, signer: item.judge(trust).signer, present: before?.judge(trust).signer }
  })
}

function leftOver(items: readonly BundleItem[], project: ProjectFiles, files: Files): string[] {
  const folders = items.filter(({ type }) => type === 'skill').map(({ id }) => `${folderOf('skill')}/${id}`)
  return folders.flatMap(folder => project.list(folder)).filter(path => !files.has(path))
}

/** Paths relative to the project. */
function shown(paths: Iterable<string>): string[] {
  return Array.from(paths, path => `.ai/${path}`)
}
