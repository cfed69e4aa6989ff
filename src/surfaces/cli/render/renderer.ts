// The shape of a renderer: an answer in, text for a person out.
import type { Terminal } from '../terminal.ts'

type Answer = Readonly<Record<string, unknown>>

export type Renderer = (answer: Answer, terminal: Terminal) => string
