// A stranger, Ann, and a project with two of her tools.
import { describeKey, printIdentity } from '../../../src/trust/identity-document.ts'
import { generateKey, type SigningKey } from '../../../src/trust/key.ts'
import { sign } from '../../../src/trust/sign.ts'
import { type Scratch, scratch, tool } from '../../workspace/scratch.ts'

export const ANN = generateKey()
export const AT = '2026-03-01T12:00:00Z'
const MARKS = { prefix: '#', suffix: '', afterShebang: true, detached: false }

export const documentOf = (key: SigningKey, owner = 'ann') => printIdentity(describeKey(key.publicPem, owner))
export const trustedPath = (key: SigningKey) => `user:.ai/config/keys/trusted/${key.fingerprint}.toml`

export function signedBy(key: SigningKey, id: string): string {
  const file = { type: 'tool', id, extension: '.py', bytes: Buffer.from(tool(id)), format: MARKS } as const
  return Buffer.from(sign(file, key, { timestamp: AT, format: 'v2' }).bytes).toString()
}

/** A project with two tools of Ann's, and her document. */
export async function withAnn(
  options: Parameters<typeof scratch>[1] = {},
): Promise<Scratch & { file: string }> {
  const made = await scratch(
    {
      '.ai/tools/team/a.py': signedBy(ANN, 'team/a'),
      '.ai/tools/other/b.py': signedBy(ANN, 'other/b'),
      'ann.toml': documentOf(ANN),
    },
    options,
  )
  return Object.assign(made, { file: made.path('ann.toml') })
}

export const load = async (made: Scratch, id: string) => {
  const { status, code, error } = await made.run('load', { item_id: `tool:${id}` })
  return status === 'success' ? 'loaded' : `${code}: ${error}`
}
