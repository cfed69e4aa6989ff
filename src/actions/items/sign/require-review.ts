// Signing many items at once is how things get signed that nobody has read. An item in a folder of another
// client, or with something that a reviewer would stop at, is left out of a batch until the signer says that
// it was reviewed. Either way the answer says what was seen.
import { AppError, commandOf, hintWith, quoteShellWord } from '../../../base/index.ts'
import { describeReview, isDanger } from '../../../sources/review/index.ts'
import { type OpenedItem, sourceFlag } from '../../../workspace/index.ts'
import { reviewOpened } from '../../sources/review-opened.ts'
import type { Signer } from './signer.ts'

const MOST_WARNINGS = 3

/**
 * Throws `POLICY_DENIED`, or returns what a reviewer would stop at in an item that is signed by name. What
 * the same key signed, unchanged since, was decided about before.
 */
export async function requireReview(signer: Signer, item: OpenedItem): Promise<string[]> {
  const { file, verdict } = item
  const isSigned = verdict.status === 'verified' && verdict.signer === signer.key.fingerprint
  // No person has decided about what was signed for an agent.
  const isOwn = isSigned && !(verdict.by_agent && signer.caller === 'person' && !signer.isAgain)
  if (file.type === 'config' || isOwn) return []
  const seen = await reviewOpened(item)
  const isElsewhere = file.folder > 0
  const dangers = seen.findings.filter(isDanger)
  // Hidden text is reported for every item that is signed.
  const visible = dangers.filter(({ code }) => code !== 'hidden-text')
  if (signer.isNamed)
    return visible
      .slice(0, MOST_WARNINGS)
      .map(({ path, line, message }) => `${path}: line ${line}: ${message}`)
  if (!isElsewhere && dangers.length === 0) return []
  const issues = describeReview(seen)
  if (signer.reviewed === true) {
    signer.saw?.push({ item: file.id, seen: issues })
    return []
  }
  const reason = seen.findings[0]?.message ?? 'it is in a folder of another client'
  const ref = quoteShellWord(`${file.type}:${file.id}`)
  throw new AppError('POLICY_DENIED', `${ref} is not signed because nobody has reviewed it: ${reason}`, {
    hint: hintWith(
      commandOf('read it', `review ${ref}${file.space === 'user' ? '@user' : ''}`),
      ', then ',
      commandOf('sign it', `sign ${ref}${sourceFlag(file.space)}`),
    ),
    details: { issues },
  })
}
