import { AppError, systemErrorCode } from './app-error.ts'

/** Of a server whose port cannot be had; the hint is for one that another program has. */
export function cannotListen(address: string, cause: Error, hintIfTaken: string): AppError {
  const isTaken = systemErrorCode(cause) === 'EADDRINUSE'
  return new AppError('NOT_AVAILABLE', `cannot listen on ${address}: ${cause.message}`, {
    cause,
    ...(isTaken && { hint: hintIfTaken }),
  })
}
