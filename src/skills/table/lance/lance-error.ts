// Errors of LanceDB, made readable: without the paths of its source files, and without secrets that an address may
// contain, such as a key or a signature.
import { AppError, firstLineOf } from '../../../base/index.ts'

const MAX_REASON = 300
/** Variables with the credentials of each kind of storage; LanceDB reads them itself. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  's3:':
    'AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION; AWS_ENDPOINT for another server than Amazon’s',
  'gs:': 'GOOGLE_SERVICE_ACCOUNT, the path of a key file',
  'az:': 'AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY',
}

export function lanceError(uri: string, cause: Error): AppError {
  const variables = CREDENTIALS[uri.slice(0, uri.indexOf('/')).toLowerCase()]
  const message = `LanceDB at \`${shownUri(uri)}\`: ${plainReason(cause.message)}`
  return new AppError('REMOTE_FAILED', message, {
    ...(variables && { hint: `credentials come from the environment: ${variables}` }),
    // Not the error itself: printing the chain of causes would show what was removed here.
    cause: new Error(plainReason(cause.message)),
  })
}

/** An address without user, password and query. */
export function shownUri(uri: string): string {
  return uri.replace(/\/\/[^/?#]*@/, '//').replace(/[?#].*$/s, '')
}

function plainReason(message: string): string {
  return firstLineOf(message)
    .replace(/,? ?\/[^\s,]+\.rs:\d+(?::\d+)?.*$/, '')
    .replace(/^(?:Error: )?(?:lance error: )?(?:LanceError\(\w+\): )?/, '')
    .replace(/Encountered internal error\. Please file a bug report at \S+ /, '')
    .replace(/(https?:\/\/)(?:[^\s/@]*@)?([^\s?]*)\?\S*/g, '$1$2')
    .trim()
    .slice(0, MAX_REASON)
}
