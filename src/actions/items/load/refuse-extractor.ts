// An extractor decides how items are read, and so what they ask for: only a person may copy one.
import { AppError, type Caller, commandOf } from '../../../base/index.ts'
import { isExtractor } from '../../../workspace/index.ts'
import type { CopyRequest } from './copy-item.ts'

/** Throws `POLICY_DENIED` if an agent tries to copy one. */
export function refuseExtractor(
  caller: Caller,
  item: Parameters<typeof isExtractor>[0],
  destination: CopyRequest['destination'],
): void {
  if (caller !== 'agent' || !isExtractor(item)) return
  const ref = `${item.type}:${item.id}`
  throw new AppError('POLICY_DENIED', `an agent does not copy \`${ref}\`: it decides how items are read`, {
    hint: commandOf('copy it', `load ${ref} --to ${destination}`),
  })
}
