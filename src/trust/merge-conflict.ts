// Reads the conflicts that git left in a file where two branches changed the same place. Every edit changes
// the signature line, so two edits of one item always conflict there. A person resolves any other difference.
import type { SignatureFormat } from '../item/index.ts'
import { asBuffer, lineAt, lineNumberAt } from './byte-line.ts'
import { readSignatureLine } from './signature-line.ts'

export type MergeConflict =
  | { readonly kind: 'none' }
  /** The sides differ only in signature lines; `bytes` is the file without these and the markers. */
  | { readonly kind: 'signature'; readonly bytes: Uint8Array }
  /** The first conflict begins at this line. */
  | { readonly kind: 'content'; readonly line: number; readonly hasSignature: boolean }

type Marks = Pick<SignatureFormat, 'prefix' | 'suffix'>

const [OURS, BASE, SPLIT, THEIRS] = [/^<{7}(?: |$)/, /^\|{7}(?: |$)/, /^={7}$/, /^>{7}(?: |$)/]

/** Reads `merge`, `diff3` and `zdiff3` markers. Equals signs alone are no marker: they underline headings. */
export function readMergeConflict(bytes: Uint8Array, marks: Marks): MergeConflict {
  const kept: Uint8Array[] = []
  let [from, content, hasSignature] = [0, -1, false]
  for (let at = nextMarker(bytes, '<', 0); at !== -1; at = nextMarker(bytes, '<', Math.max(from, at + 1))) {
    const block = readBlock(bytes, lineAt(bytes, at).next, marks)
    if (block?.hasSignature) hasSignature = true
    if (!block || block.hasContent) content = content === -1 ? at : content
    if (!block) continue
    kept.push(bytes.subarray(from, at))
    from = block.next
  }
  if (content === -1 && !hasSignature) return { kind: 'none' }
  const rest = Buffer.concat([...kept, bytes.subarray(from)])
  // A leftover end marker shows that somebody has begun to resolve another conflict.
  const stray = nextMarker(rest, '>', 0)
  if (content === -1 && stray === -1) return { kind: 'signature', bytes: rest }
  const line = content === -1 ? lineNumberAt(rest, stray) : lineNumberAt(bytes, content)
  return { kind: 'content', line, hasSignature }
}

/** The offset of the next start or end marker; -1 when there is none. */
function nextMarker(bytes: Uint8Array, sign: '<' | '>', from: number): number {
  const buffer = asBuffer(bytes)
  const pattern = sign === '<' ? OURS : THEIRS
  for (
    let at = buffer.indexOf(sign.repeat(7), from);
    at !== -1;
    at = buffer.indexOf(sign.repeat(7), at + 1)
  ) {
    const isLineStart = at === 0 || buffer[at - 1] === 10
    if (isLineStart && pattern.test(lineAt(buffer, at).text)) return at
  }
  return -1
}

interface Block {
  readonly next: number
  readonly hasSignature: boolean
  /** Whether there is something besides signature lines, or nothing at all, which git never writes. */
  readonly hasContent: boolean
}

/**
 * Reads from the line after the start marker to the line after the end marker. Undefined when the block does
 * not end like a conflict.
 */
function readBlock(bytes: Uint8Array, start: number, marks: Marks): Block | undefined {
  let [hasSignature, hasContent, isSplit] = [false, false, false]
  for (let at = start; at < bytes.length; ) {
    const { text, next } = lineAt(bytes, at)
    if (OURS.test(text)) return undefined
    if (THEIRS.test(text))
      return isSplit ? { next, hasSignature, hasContent: hasContent || !hasSignature } : undefined
    if (SPLIT.test(text)) isSplit = true
    else if (readSignatureLine(text, marks).kind !== 'content') hasSignature = true
    else if (!BASE.test(text)) hasContent = true
    at = next
  }
  return undefined
}
