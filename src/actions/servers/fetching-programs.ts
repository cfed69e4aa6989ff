// Recognises programs that fetch a package by name before running it.
import { basename } from 'node:path'

const FETCHING = new Set(['npx', 'npm', 'pnpm', 'yarn', 'bunx', 'bun', 'uvx', 'uv', 'pipx', 'deno'])

/** Client settings often give the full path, such as `/opt/homebrew/bin/npx`. */
export function fetchesPackages(command: string): boolean {
  return FETCHING.has(basename(command))
}
