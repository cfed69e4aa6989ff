// LanceDB's errors as people see them: the storage's answer without its wrapping, what to do, and no secrets.
// Also which failures are collisions with another writer, and worth a retry.
import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/base/index.ts'
import { isConflict } from '../../src/lance/conflicts.ts'
import { lanceError } from '../../src/lance/lance-error.ts'

const answer = (status: string, code: string, text: string) =>
  `lance error: LanceError(IO): Generic S3 error: Error performing GET https://me:pw@host/fleet?X-Amz-Signature=abc in 5ms, after 3 retries, max_retries: 3, retry_timeout: 180s  - Server returned non-2xx status code: ${status}: <?xml version="1.0"?><Error><Code>${code}</Code><Message>${text}</Message></Error>, /src/object_store.rs:12:3`

describe('an error of the storage', () => {
  it.each([
    [
      '503 Service Unavailable',
      'SlowDown',
      'the storage refuses requests because there were too many: try again later',
    ],
    [
      '429 Too Many Requests',
      'TooManyRequests',
      'the storage refuses requests because there were too many: try again later',
    ],
    ['403 Forbidden', 'RequestTimeTooSkewed', 'the clock of this machine is wrong: set it, and try again'],
    ['400 Bad Request', 'ExpiredToken', 'the credentials have expired: get new ones'],
  ])('is told in a sentence: %s %s', (status, code, hint) => {
    const error = lanceError('s3://me:pw@fleet/team?key=1', new Error(answer(status, code, 'Do so.')))
    expect(error).toMatchObject({ code: 'REMOTE_FAILED', hint })
    expect(error.message).toBe(
      `LanceDB at \`s3://fleet/team\`: the storage answered ${status}: ${code}, Do so.`,
    )
    expect(String((error.cause as Error).message)).not.toMatch(/pw|Signature/)
  })

  it('names the credentials where nothing else is known', () => {
    const error = lanceError('s3://fleet/team', new Error(answer('403 Forbidden', 'AccessDenied', 'No.')))
    expect(error.hint).toMatch(/^credentials come from the environment: AWS_ACCESS_KEY_ID/)
  })

  it('says that there are no credentials without the answer of whoever was asked for them', () => {
    const said =
      'Failed to get AWS credentials: ProviderError(ProviderError { raw: Response { headers: {"server'
    const error = lanceError(
      's3://fleet/team',
      new Error(`lance error: LanceError(IO): Generic N/A error: ${said}\n\nCaused by: ${said}`),
    )
    expect(error.message).toBe('LanceDB at `s3://fleet/team`: Failed to get AWS credentials')
    expect(error.hint).toMatch(/^credentials come from the environment: AWS_ACCESS_KEY_ID/)
  })

  it.each([
    'Connection refused (os error 111)',
    'failed to lookup address information: Name or service not known',
  ])('blames no credentials where nobody answers: %s', reason => {
    const error = lanceError('s3://fleet/team', new Error(`Generic S3 error: HTTP error: ${reason}`))
    expect(error.hint).toMatch(/^no server answers there: .*`AWS_ENDPOINT`/)
  })
})

describe('a collision', () => {
  it.each([
    'Retryable commit conflict for version 7: This Update transaction was preempted. Please retry.',
    'Too many concurrent writers. Attempted 20 times',
    'Table `items` already exists',
    answer('412 Precondition Failed', 'PreconditionFailed', 'Object already exists'),
    answer('409 Conflict', 'ConditionalRequestConflict', 'conflict'),
  ])('is worth another attempt: %s', message => {
    expect(isConflict(new Error(message))).toBe(true)
  })

  it.each([
    answer('503 Service Unavailable', 'SlowDown', 'Reduce your rate, then retry'),
    answer('429 Too Many Requests', 'TooManyRequests', 'Too many concurrent requests'),
    answer('403 Forbidden', 'AccessDenied', 'Not found, or not yours'),
    'error sending request for url (https://conflict.example/retry), after 3 retries, max_retries: 3, retry_timeout: 180s',
  ])('is nothing that the storage refuses: %s', message => {
    expect(isConflict(new Error(message))).toBe(false)
  })

  it('is nothing that we have said ourselves', () => {
    expect(isConflict(new AppError('REMOTE_FAILED', 'conflict'))).toBe(false)
  })
})
