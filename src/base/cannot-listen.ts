import { AppError, systemErrorCode } from './app-error.ts'

/** For a server that cannot get its port. The hint is used when another program has the port. */
export function cannotListen(address: string, cause: Error, hintIfTaken: string): AppError {
  const isTaken = systemErrorCode(cause) === 'EADDRINUSE'
  return new AppError('NOT_AVAILABLE', `cannot listen on ${address}: ${cause.message}`, {
    cause,
    ...(isTaken && { hint: hintIfTaken }),
  })
}
