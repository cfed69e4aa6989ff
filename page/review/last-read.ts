// What a person signed of an item last, and so has read.
import type { ShowAnswer } from 'ryekit'

export function lastRead({ trust, content }: ShowAnswer) {
  return trust.by_agent ? undefined : content?.last_signed
}
