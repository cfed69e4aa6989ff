// The user's signing key and the keys that the user trusts. For people on the command line only: none of these
// actions is ever listed to an agent.
import { resolve } from 'node:path'
import { AppError } from '../../base/index.ts'
import type { SigningKey } from '../../trust/index.ts'
import {
  findSigningKey,
  generateSigningKey,
  getSigningKey,
  importSigningKey,
  listTrustedKeys,
  readIdentityFile,
  removeTrustedKey,
  signingKeyPaths,
  trustIdentity,
} from '../../user/index.ts'
import { defineAction } from '../definition/action.ts'

const effects = { readOnly: false, destructive: false, openWorld: false }
const owner = { type: 'string', about: 'whose key it is', default: 'local', flag: { value: 'NAME' } } as const

export const keysGenerate = defineAction({
  name: 'keys generate',
  description: 'Make your signing key, and trust it.',
  effects,
  fields: {
    owner,
    from_env: {
      type: 'string',
      about: 'import the private key from this environment variable instead (PEM, or base64 of PEM)',
      flag: { value: 'NAME' },
    },
  },
  run: async ({ library }, input) => {
    const { userSpace } = library
    if (input.from_env === undefined) {
      return describe(userSpace, await generateSigningKey(userSpace, input.owner), 'made your signing key')
    }
    const text = library.environment[input.from_env]
    if (!text) throw new AppError('KEY_MISSING', `the environment variable \`${input.from_env}\` is not set`)
    return describe(
      userSpace,
      await importSigningKey(userSpace, text, input.owner),
      'imported your signing key',
    )
  },
})

export const keysShow = defineAction({
  name: 'keys show',
  description: 'Show your public key and its fingerprint.',
  effects: { ...effects, readOnly: true },
  fields: {},
  run: async ({ library }) => ({
    ...(await describe(library.userSpace, getSigningKey(library.userSpace))),
    public_key: getSigningKey(library.userSpace).publicPem,
  }),
})

export const keysList = defineAction({
  name: 'keys list',
  description: 'List the keys that you trust.',
  effects: { ...effects, readOnly: true },
  fields: {},
  run: async ({ library }) => {
    const { keys, faults } = await listTrustedKeys(library.userSpace)
    const own = findSigningKey(library.userSpace)?.fingerprint
    return {
      keys: [...keys.values()].map(key => ({
        fingerprint: key.fingerprint,
        owner: key.owner,
        path: key.path,
        ...(key.fingerprint === own && { own: true }),
      })),
      faults,
    }
  },
})

export const keysTrust = defineAction({
  name: 'keys trust',
  description: 'Trust the key of an identity document: items that it signed can then be used.',
  effects,
  fields: {
    file: {
      type: 'string',
      about: 'an identity document (TOML)',
      required: true,
      flag: { position: 'first', value: 'KEY.toml' },
    },
  },
  run: async ({ library }, input) => {
    const identity = await readIdentityFile(resolve(input.file))
    const added = await trustIdentity(library.userSpace, identity)
    return {
      status: added ? 'trusted' : 'unchanged',
      fingerprint: identity.fingerprint,
      owner: identity.owner,
      message: added ? `items signed by ${identity.owner} can now be used` : 'this key was trusted before',
    }
  },
})

export const keysRemove = defineAction({
  name: 'keys remove',
  description: 'Trust a key no longer.',
  effects: { ...effects, destructive: true },
  fields: {
    fingerprint: {
      type: 'string',
      about: '16 hex digits',
      required: true,
      flag: { position: 'first', value: 'FINGERPRINT' },
    },
  },
  run: async ({ library }, input) => {
    await removeTrustedKey(library.userSpace, input.fingerprint)
    return {
      status: 'removed',
      fingerprint: input.fingerprint,
      message: 'items that it signed can no longer be used',
    }
  },
})

/** `identity` is the document to hand to others: they trust it, or a project offers it. */
async function describe(userSpace: string, key: SigningKey, message?: string): Promise<object> {
  const { keys } = await listTrustedKeys(userSpace)
  const identity = keys.get(key.fingerprint)?.path
  return {
    fingerprint: key.fingerprint,
    path: signingKeyPaths(userSpace).current,
    ...(identity && { identity }),
    ...(message && { message }),
  }
}
