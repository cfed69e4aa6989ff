// Opens an address in the person's browser. If there is none, the address on the terminal is enough.
import { spawn } from 'node:child_process'
import { findOnPath } from '../../execute/index.ts'

interface Opener {
  readonly command: readonly [string, ...string[]]
  /**
   * What the command reads from standard input instead of an argument, which every user of the machine can
   * read.
   */
  input?(address: string): string
}

const XDG: Opener = { command: ['xdg-open'] }
const OPENERS: Partial<Record<NodeJS.Platform, Opener>> = {
  darwin: { command: ['osascript', '-'], input: address => `open location "${address}"\n` },
  win32: { command: ['rundll32', 'url.dll,FileProtocolHandler'] },
}

export function openBrowser(
  address: string,
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): void {
  const { command, input } = OPENERS[platform] ?? XDG
  const [name, ...words] = command
  // By absolute path: PATH may name folders of the project, and that is the current directory.
  const program = platform === 'win32' ? name : findOnPath(name, environment.PATH ?? '')
  if (program === undefined) return
  // No shell parses the address, and the browser outlives this process.
  const child = spawn(program, input ? words : [...words, address], {
    stdio: [input ? 'pipe' : 'ignore', 'ignore', 'ignore'],
    detached: true,
    env: environment,
  })
  child.on('error', () => {})
  child.stdin?.on('error', () => {})
  child.stdin?.end(input?.(address))
  child.unref()
}
