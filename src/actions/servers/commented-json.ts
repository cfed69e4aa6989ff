// JSON as editors keep their settings: with comments and trailing commas. Pure.
import { AppError, flattenText } from '../../base/index.ts'

/** In this order: strings are passed over as a whole, so that nothing in them is taken for a comment. */
const MARKS = /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[\]}])/g

export function parseCommentedJson(text: string, name: string): unknown {
  const plain = text.replace(/^\uFEFF/, '').replaceAll(MARKS, mark => (mark.startsWith('"') ? mark : ' '))
  try {
    return JSON.parse(plain)
  } catch (cause) {
    const reason = flattenText((cause as Error).message)
    throw new AppError('INVALID_INPUT', `\`${name}\`: expected JSON: ${reason}`, { cause })
  }
}
