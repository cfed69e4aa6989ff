// What a person last signed of an item, and so has read.
import type { ShowAnswer } from 'ryekit'

export function lastRead({ trust, content }: ShowAnswer) {
  return trust.by_agent ? undefined : content?.last_signed
}
