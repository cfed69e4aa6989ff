// Compares a screen without trailing blanks, and checks that colours change nothing but colours.
import { expect } from 'vitest'
import { renderAnswer } from '../../src/surfaces/cli/render/answer.ts'
import { createTerminal } from '../../src/surfaces/cli/terminal.ts'

/** The command, what it answered, the lines. */
export type Screen = [string, object, string[]]

export const at = (width: number, color = false) =>
  createTerminal({ isTTY: true, columns: width, write() {} }, { write() {} }, { color, quiet: true })
export const bare = (text: string) => text.replaceAll(/\u001b\[\d+m/g, '')

export function expectScreen(...[name, answer, expected]: Screen): void {
  const lines = (text: string) => text.split('\n').map(line => line.trimEnd())
  expect(lines(renderAnswer(name, answer, at(80)))).toEqual(expected)
  expect(lines(bare(renderAnswer(name, answer, at(80, true))))).toEqual(expected)
}
