// Parses the JSON of editor settings, with comments and trailing commas. Pure.
import { AppError, flattenText } from '../../base/index.ts'

/** Strings come first and are skipped as a whole, so that nothing inside them is taken for a comment. */
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
