// Opens an address in the browser of the person. Where there is none, the address on the terminal is enough.
import { spawn } from 'node:child_process'

const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

export function openBrowser(
  address: string,
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): void {
  const [command, ...words] = OPENERS[platform] ?? ['xdg-open']
  // No shell reads the address, and the browser does not end with us.
  const child = spawn(command!, [...words, address], { stdio: 'ignore', detached: true, env: environment })
  child.on('error', () => {})
  child.unref()
}
