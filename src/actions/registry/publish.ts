// Packs signed items of the project and sends them. Every problem is reported before anything is sent, and a
// dry run shows exactly what would be sent.
import { AppError, countOf } from '../../base/index.ts'
import { readFile } from '../../files/index.ts'
import {
  checkPackage,
  checkTag,
  checkVersion,
  integrityOf,
  itemsOf,
  listItems,
  makeBundle,
  type OpenedRegistry,
  publishProblems,
  readProvenance,
} from '../../registry/index.ts'
import { type ActionContext, defineAction } from '../definition/action.ts'
import type { CallInput, Fields, InputOf } from '../definition/field-spec.ts'
import { findPath } from '../definition/resolve-path.ts'
import { projectPath } from '../definition/shared-fields.ts'
import { callRegistry, type RegistryCall } from './call-registry.ts'
import { oneTimePassword, otherRegistry, packageName, seconds } from './fields.ts'
import { projectFiles } from './project-files.ts'

const PUBLISH_FIELDS = {
  package: packageName,
  version: { type: 'string', about: 'the new version, such as 1.2.0', required: true, flag: { value: 'V' } },
  items: {
    type: 'strings',
    about: 'TYPE:ID of signed items of this project; `*` is any text, as in `tool:team/*`',
    required: true,
    flag: { name: 'item', value: 'ITEM' },
  },
  description: { type: 'string', about: 'one line, what it is for', required: true, flag: { value: 'TEXT' } },
  keywords: {
    type: 'strings',
    about: 'words to be found by; `rye-bundle` is added',
    flag: { name: 'keyword', value: 'WORD' },
  },
  tag: {
    type: 'string',
    about: 'the tag that is to point to this version',
    default: 'latest',
    flag: { value: 'TAG' },
  },
  access: {
    type: 'string',
    about: 'who may read a package with a scope',
    values: ['public', 'restricted'],
    default: 'restricted',
    flag: { value: 'A' },
  },
  dry_run: { type: 'boolean', about: 'only show what would be sent', default: false },
  otp: oneTimePassword,
  provenance_file: {
    type: 'string',
    about: 'a Sigstore bundle about this very archive, made by a build service',
    forPeople: true,
    flag: { value: 'FILE' },
  },
  registry: otherRegistry,
  timeout: seconds,
  project_path: projectPath,
} as const satisfies Fields

type Input = InputOf<typeof PUBLISH_FIELDS>

export type RegistryPublishInput = CallInput<typeof PUBLISH_FIELDS>

export interface RegistryPublishAnswer {
  readonly registry: string
  readonly package: string
  readonly version: string
  /** Each as `TYPE:ID`. */
  readonly items: readonly string[]
  readonly files: readonly SizedFile[]
  /** Files that are added: `package.json` and `README.md`. */
  readonly generated: readonly SizedFile[]
  /** Size of the archive in bytes. */
  readonly size: number
  readonly integrity: string
  readonly dry_run: boolean
  readonly note?: string
}

interface SizedFile {
  readonly path: string
  readonly size: number
}

const MOST_PROBLEMS = 100
const PROVENANCE_BYTES = 1_000_000
const NOTE =
  'others trust it through your key, not through the registry: send them what `rye keys show` prints through another channel'

export const registryPublish = defineAction({
  name: 'registry publish',
  description: 'Send signed items of the project to an npm registry as a bundle.',
  effects: { readOnly: false, destructive: false, openWorld: true },
  fields: PUBLISH_FIELDS,
  run: (context, input): Promise<RegistryPublishAnswer> => {
    checkPackage(input.package)
    checkVersion(input.version)
    checkTag(input.tag)
    return callRegistry(context, input, call => publish(context, input, call))
  },
})

async function publish(context: ActionContext, input: Input, { registry, workspace }: RegistryCall) {
  const { package: name, version, description, keywords = [] } = input
  const files = projectFiles(workspace).select(input.items)
  const { extractors, trust, projectPath: root } = workspace
  const problems = await publishProblems(files, { extractors, trust, root, secrets: registry.secrets })
  if (problems.length > 0) {
    throw new AppError('VALIDATION_FAILED', `${countOf(problems.length, 'file')} cannot be published`, {
      details: { problems: problems.slice(0, MOST_PROBLEMS) },
    })
  }
  const listed = await listItems(files, workspace)
  const bundle = await makeBundle({ name, version, description, keywords }, files, listed)
  const { archive } = bundle
  const statement = readStatement(context, input.provenance_file)
  const provenance =
    statement === undefined ? undefined : readProvenance(statement, { name, version, archive })
  if (!input.dry_run) {
    await refuseImpossible(registry, name, version)
    const access = name.startsWith('@') ? input.access : 'public'
    await registry.publish({ name, version, bundle, tag: input.tag, access, otp: input.otp, provenance })
  }
  return {
    package: name,
    version,
    items: itemsOf(files, extractors).items.map(({ ref }) => ref),
    files: [...files].map(([path, bytes]) => ({ path: `.ai/${path}`, size: bytes.length })),
    generated: bundle.generated,
    size: archive.length,
    integrity: integrityOf(archive),
    dry_run: input.dry_run,
    ...(!input.dry_run && { note: NOTE }),
  }
}

async function refuseImpossible(registry: OpenedRegistry, name: string, version: string): Promise<void> {
  const { url, isConfigured, credentials } = registry.registry
  if (!isConfigured) {
    const where =
      'name it in your .npmrc, or in .ai/config/rye/registry.yaml, then sign `config:rye/registry`'
    throw new AppError('POLICY_DENIED', `${url.href} is not the configured registry: ${where}`)
  }
  if (credentials === undefined) {
    const where = "set NPM_TOKEN in the environment of rye or in the project's .env, or log in with npm"
    throw new AppError('CONFIG_INVALID', `publishing needs a token: ${where}`)
  }
  const known = await registry.find(name)
  if (!known?.versions.has(version)) return
  const message = `\`${name}@${version}\` is published already and cannot be replaced: choose a higher version`
  throw new AppError('ITEM_EXISTS', message)
}

function readStatement(context: ActionContext, file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  const path = findPath(context, file)
  const found = path === undefined ? undefined : readFile(path, { maxBytes: PROVENANCE_BYTES })
  if (found) return found.bytes.toString('utf8')
  throw new AppError('FILE_UNREADABLE', `there is no file \`${path ?? file}\``)
}
