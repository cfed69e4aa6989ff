// One file of a skill, as `load` answers with it: text as it is, anything else as base64, at most one page.
import { isUtf8 } from 'node:buffer'
import { basename, extname } from 'node:path'
import { AppError, type Caller } from '../../../base/index.ts'
import { sliceText } from '../../definition/slice-text.ts'
import { bytesFor } from '../long-text.ts'
import type { SkillFile } from '../skill-file.ts'
import type { LoadAnswer } from './fields.ts'
import { footOf, type ItemInput } from './read-page.ts'

/** The most that `limit` may ask for. */
const MOST_BYTES = 1_000_000

export function loadSkillFile(
  file: SkillFile,
  version: string | undefined,
  request: ItemInput,
  caller: Caller,
): LoadAnswer {
  refuseWhole(file, request)
  const { item, id, place, bytes } = file
  const most = request.limit ?? Math.min(MOST_BYTES, bytesFor(caller))
  const { content, encoding, end } = readPart(bytes, request.offset ?? 0, most)
  const isPart = request.offset !== undefined || request.limit !== undefined || end < bytes.length
  return {
    status: 'success',
    item_type: item.file.type,
    item_id: id,
    content,
    encoding,
    metadata: {
      name: basename(place),
      path: place,
      extension: extname(place),
      ...(version !== undefined && { version }),
    },
    path: place,
    source: item.file.space,
    mode: 'id',
    ...(isPart && footOf(bytes.length, end, request, caller)),
    trust: item.verdict,
    shadows: item.shadows.map(space => ({ space })),
  }
}

function readPart(
  bytes: Uint8Array,
  offset: number,
  limit: number,
): { content: string; encoding: 'utf-8' | 'base64'; end: number } {
  // Decided by the whole file, so that a page in the middle has the same encoding as the first.
  if (isUtf8(bytes)) {
    const { text, end } = sliceText(bytes, offset, limit)
    return { content: text, encoding: 'utf-8', end }
  }
  const end = Math.min(offset + limit, bytes.length)
  return { content: Buffer.from(bytes.subarray(offset, end)).toString('base64'), encoding: 'base64', end }
}

/** Refuses options that only make sense for a whole skill. */
function refuseWhole({ item }: SkillFile, { destination, view }: ItemInput): void {
  const whole = `\`skill:${item.file.id}\``
  if (destination !== undefined)
    throw new AppError('INVALID_INPUT', `\`destination\` copies a whole skill, not one file: load ${whole}`)
  if (view === 'summary')
    throw new AppError('INVALID_INPUT', `a file of a skill has no summary: load ${whole}, or the file itself`)
}
