// The one door to the native JavaScript parser: a text that could take the process with it does not pass.
import type { ParseResult, ParserOptions } from 'oxc-parser'
import { lazy } from '../../base/index.ts'
import { findRefusal, type Refusal } from './nesting.ts'

const loadOxc = lazy(() => import('oxc-parser'))

export type NativeResult =
  | { readonly refusal: Refusal; readonly result?: never }
  | { readonly refusal?: never; readonly result: ParseResult }

export async function parseJavaScript(
  filename: string,
  text: string,
  options: ParserOptions,
): Promise<NativeResult> {
  const refusal = findRefusal(text)
  if (refusal !== undefined) return { refusal }
  const { parseSync } = await loadOxc()
  return { result: parseSync(filename, text, options) }
}
