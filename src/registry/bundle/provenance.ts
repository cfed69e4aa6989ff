// A provenance statement made elsewhere, such as by a build service: a Sigstore bundle about exactly this
// archive. The registry checks who made it. That it is about this archive is checked here, before sending.
import { createHash } from 'node:crypto'
import { AppError, isRecord } from '../../base/index.ts'

export interface Provenance {
  readonly mediaType: string
  readonly text: string
}

/** Throws `INVALID_INPUT`. */
export function readProvenance(
  text: string,
  {
    name,
    version,
    archive,
  }: { readonly name: string; readonly version: string; readonly archive: Uint8Array },
): Provenance {
  const bundle = parse(text)
  const { mediaType, dsseEnvelope } = isRecord(bundle) ? bundle : {}
  if (typeof mediaType !== 'string' || !mediaType.startsWith('application/vnd.dev.sigstore.bundle'))
    throw wrong('expected a Sigstore bundle')
  const payload = isRecord(dsseEnvelope) ? dsseEnvelope.payload : undefined
  const statement = typeof payload === 'string' ? parse(Buffer.from(payload, 'base64').toString()) : undefined
  const subjects = isRecord(statement) && Array.isArray(statement.subject) ? statement.subject : []
  const subject = subjects.length === 1 && isRecord(subjects[0]) ? subjects[0] : undefined
  const wanted = `pkg:npm/${name.replace('@', '%40')}@${version}`
  if (subject?.name !== wanted) throw wrong(`expected one subject, \`${wanted}\``)
  const digest = isRecord(subject.digest) ? subject.digest.sha512 : undefined
  if (digest !== createHash('sha512').update(archive).digest('hex'))
    throw wrong('its sha512 is not that of this bundle: a dry run shows the integrity that it must have')
  return { mediaType, text }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function wrong(problem: string): AppError {
  return new AppError('INVALID_INPUT', `the provenance statement cannot be sent: ${problem}`)
}
