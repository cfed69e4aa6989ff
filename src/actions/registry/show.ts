// Shows what a bundle holds: its versions, and the items of one of them with the keys that their signatures
// name. Writes nothing.
import { itemsOf, line } from '../../registry/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { projectPath } from '../definition/shared-fields.ts'
import { callRegistry } from './call-registry.ts'
import { otherRegistry, packageName, seconds } from './fields.ts'
import { openBundle } from './open-bundle.ts'

const SHOW_FIELDS = {
  package: packageName,
  version: { type: 'string', about: 'an exact version or a tag', default: 'latest', flag: { value: 'V' } },
  registry: otherRegistry,
  timeout: seconds,
  project_path: projectPath,
} as const satisfies Fields

export type RegistryShowInput = CallInput<typeof SHOW_FIELDS>

export interface RegistryShowAnswer {
  readonly registry: string
  readonly package: string
  readonly description: string
  readonly tags: Readonly<Record<string, string>>
  /** The newest ones, in the order of the registry. */
  readonly versions: readonly string[]
  readonly version: string
  readonly integrity: string
  /** `signed_by` is what the signature claims; `trust` is the verdict here. */
  readonly items: readonly {
    readonly item: string
    readonly signed_by: string | null
    readonly trust: string
  }[]
  readonly files: readonly { readonly path: string; readonly size: number }[]
  readonly others: readonly string[]
}

const MOST_SHOWN = 20

export const registryShow = defineAction({
  name: 'registry show',
  description: 'Show versions, items and signers of a bundle in an npm registry.',
  effects: { readOnly: true, destructive: false, openWorld: true },
  fields: SHOW_FIELDS,
  run: (context, input): Promise<RegistryShowAnswer> =>
    callRegistry(context, input, async ({ registry, workspace }) => {
      const bundle = await openBundle(registry, { ...input, form: 'exact or tag' })
      const { items, strays } = itemsOf(bundle.files, workspace.extractors)
      const judged = items.map(item => {
        const { signer, status } = item.judge(workspace.trust, workspace.projectPath)
        return { item: item.ref, signed_by: signer, trust: status }
      })
      const unknown = strays.map(path => ({ item: `.ai/${path}`, signed_by: null, trust: 'unsigned' }))
      const { tags, versions } = bundle.packument
      return {
        package: bundle.package,
        description: line(bundle.description),
        tags: Object.fromEntries([...tags].map(([tag, version]) => [line(tag), line(version)])),
        versions: [...versions.keys()].slice(-MOST_SHOWN).map(line),
        version: bundle.version,
        integrity: bundle.integrity,
        items: [...judged, ...unknown],
        files: [...bundle.files].map(([path, bytes]) => ({ path: `.ai/${path}`, size: bytes.length })),
        others: bundle.others.slice(0, MOST_SHOWN),
      }
    }),
})
