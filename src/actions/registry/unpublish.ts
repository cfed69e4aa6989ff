// Removes one version of a bundle from a registry. Anyone who has it keeps it, and registries never reuse its
// version number.
import { AppError } from '../../base/index.ts'
import { checkPackage, checkVersion } from '../../registry/index.ts'
import { defineAction } from '../definition/action.ts'
import type { CallInput, Fields } from '../definition/field-spec.ts'
import { projectPath } from '../definition/shared-fields.ts'
import { callRegistry } from './call-registry.ts'
import { oneTimePassword, otherRegistry, packageName, seconds } from './fields.ts'

const UNPUBLISH_FIELDS = {
  package: packageName,
  version: { type: 'string', about: 'the exact version', required: true, flag: { value: 'V' } },
  otp: oneTimePassword,
  registry: otherRegistry,
  timeout: seconds,
  project_path: projectPath,
} as const satisfies Fields

export type RegistryUnpublishInput = CallInput<typeof UNPUBLISH_FIELDS>

export interface RegistryUnpublishAnswer {
  readonly status: 'unpublished'
  readonly registry: string
  readonly package: string
  readonly version: string
}

export const registryUnpublish = defineAction({
  name: 'registry unpublish',
  description: 'Remove one version of a bundle from an npm registry.',
  effects: { readOnly: false, destructive: true, openWorld: true },
  forPeople: true,
  fields: UNPUBLISH_FIELDS,
  run: (context, input): Promise<RegistryUnpublishAnswer> => {
    const { package: name, version, otp } = input
    checkPackage(name)
    checkVersion(version)
    return callRegistry(context, input, async ({ registry }) => {
      if (registry.registry.credentials === undefined)
        throw new AppError('CONFIG_INVALID', 'unpublishing needs a token: set NPM_TOKEN, or log in with npm')
      await registry.unpublish(name, version, { otp })
      return { status: 'unpublished' as const, package: name, version }
    })
  },
})
