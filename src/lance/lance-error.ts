// Makes errors of LanceDB readable: removes the paths of its source files, and secrets that an address may
// contain, such as a key or a signature.
import { AppError, firstLineOf } from '../base/index.ts'

const MAX_REASON = 300
/** Environment variables for the credentials of each kind of storage; LanceDB reads them itself. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  's3:':
    'AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION; AWS_ENDPOINT for another server than Amazon’s',
  'gs:': 'GOOGLE_SERVICE_ACCOUNT, the path of a key file',
  'az:': 'AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY',
}

/** What to do about a message of LanceDB's HTTP client or of the storage. */
const HINTS: readonly (readonly [says: RegExp, hint: string])[] = [
  [
    /URL scheme is not allowed|BadScheme/,
    'the address is not encrypted: set `AWS_ALLOW_HTTP=true` if that is meant',
  ],
  [
    /status code: (?:429|503)|SlowDown|TooManyRequests|ServerBusy/,
    'the storage refuses requests because there were too many: try again later',
  ],
  [
    /Connection refused|failed to lookup address|No route to host|Network is unreachable/,
    'no server answers there: check the network and the address, which `AWS_ENDPOINT` sets for `s3://`',
  ],
  [/RequestTimeTooSkewed/, 'the clock of this machine is wrong: set it, and try again'],
  [/ExpiredToken|TokenRefreshRequired/, 'the credentials have expired: get new ones'],
  [
    /Invalid range|body error|end of file|unexpected length|decoding/i,
    'what the storage sent is damaged or cut off: try again, then ask whoever runs it',
  ],
]

const PART_OF_TABLE = /\.lance\/(?:data|_versions|_indices|_transactions|_deletions)\//
const CUT_OFF = /end of file|whole buffer|sufficient data|magic number|corrupt/i

/** Whether LanceDB says that files of a table are missing, cut off or overwritten. */
function isDamage(message: string): boolean {
  return CUT_OFF.test(message) || (/not ?found/i.test(message) && PART_OF_TABLE.test(message))
}

export function lanceError(uri: string, cause: Error): AppError {
  const variables = CREDENTIALS[uri.slice(0, uri.indexOf('/')).toLowerCase()]
  const root = rootCause(cause.message)
  const reason = plainReason(cause.message)
  const answered = storageAnswer(cause.message)
  const whole = answered ?? (root === undefined || reason.includes(root) ? reason : `${reason}: ${root}`)
  const hint =
    (!uri.includes('://') && isDamage(cause.message) ? hintAtDamage(uri) : undefined) ??
    HINTS.find(([says]) => says.test(cause.message))?.[1] ??
    (variables && `credentials come from the environment: ${variables}`)
  return new AppError('REMOTE_FAILED', `LanceDB at \`${shownUri(uri)}\`: ${whole}`, {
    ...(hint !== undefined && { hint }),
    // Not the error itself: printing the chain of causes would show what was removed here.
    cause: new Error(reason),
  })
}

function hintAtDamage(uri: string): string {
  return `files of the table are missing or damaged: move \`${shownUri(uri)}\` away, and sync again`
}

/** An address without user, password, query and fragment. */
export function shownUri(uri: string): string {
  return uri.replace(/\/\/[^/?#]*@/, '//').replace(/[?#].*$/s, '')
}

/**
 * The answer of the storage itself, taken from its XML. LanceDB repeats that together with the address and
 * the number of attempts.
 */
function storageAnswer(message: string): string | undefined {
  const [, status] = /non-2xx status code: (\d{3}[A-Za-z ]*)/.exec(message) ?? []
  const [, code] = /<Code>([A-Za-z.]{1,80})<\/Code>/.exec(message) ?? []
  if (status === undefined || code === undefined) return undefined
  const [, text] = /<Message>([^<]{1,200})/.exec(message) ?? []
  return `the storage answered ${status.trim()}: ${code}${text ? `, ${plainReason(text)}` : ''}`
}

/** The last of a chain of causes, which says what went wrong. The earlier ones repeat each other. */
function rootCause(message: string): string | undefined {
  const last = /.*Caused by: ([^\n]+)$/s.exec(message.trimEnd())?.[1]
  return last === undefined ? undefined : plainReason(last)
}

function plainReason(message: string): string {
  return (
    firstLineOf(message)
      .replace(/,? ?\/[^\s,]+\.rs:\d+(?::\d+)?.*$/, '')
      .replace(/^(?:Error: )?(?:lance error: )?(?:LanceError\(\w+\): )?/, '')
      .replace(/Encountered internal error\. Please file a bug report at \S+ /, '')
      // The rest is a Rust value in debug format, with every header of the response.
      .replace(/^(?:Generic N\/A error: )?(Failed to get AWS credentials).*$/, '$1')
      .replace(/(https?:\/\/)(?:[^\s/@]*@)?([^\s?]*)\?\S*/g, '$1$2')
      .trim()
      .slice(0, MAX_REASON)
  )
}
