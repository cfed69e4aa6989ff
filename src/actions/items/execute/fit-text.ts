// The text of a directive or of a knowledge entry, as much of it as its reader takes in one answer: people and
// programs get all of it, an agent the beginning and the way to read on.
import { type Caller, type JsonObject, printHint } from '../../../base/index.ts'
import type { OpenedItem, Workspace } from '../../../workspace/index.ts'
import type { ActionContext } from '../../definition/action.ts'
import { bytesFor, findLong, findLongBody, type LongText, readOn } from '../long-text.ts'
import type { TextPage } from './answer.ts'
import { keepText } from './keep-text.ts'

interface FittedText {
  readonly text: string
  readonly page: TextPage
}

/** Steps are found nowhere as they were filled in, so they are kept. If they cannot be, none may be missing. */
export function fitDirections(text: string, { caller }: ActionContext, workspace: Workspace): FittedText {
  const long = isTooLong(text, caller) ? findLong(Buffer.from(text)) : undefined
  const { id } = long ? keepText(workspace, text) : { id: null }
  return long && id !== null ? pageOf(long, { item_id: id }, caller) : { text, page: {} }
}

/** `asked` is what `load` takes to find the item. */
export function fitBody(
  text: string,
  { caller }: ActionContext,
  item: OpenedItem,
  asked: JsonObject,
): FittedText {
  const long = isTooLong(text, caller) ? findLongBody(text, item.bytes) : undefined
  return long ? pageOf(long, asked, caller) : { text, page: {} }
}

function isTooLong(text: string, caller: Caller): boolean {
  return Buffer.byteLength(text) > bytesFor(caller)
}

function pageOf({ beginning, ...page }: LongText, asked: JsonObject, caller: Caller): FittedText {
  return { text: beginning, page: { ...page, hint: printHint(readOn(asked, page), caller) } }
}
