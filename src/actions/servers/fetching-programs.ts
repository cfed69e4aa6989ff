// Programs that fetch a package by its name before they run it.
import { basename } from 'node:path'

const FETCHING = new Set(['npx', 'npm', 'pnpm', 'yarn', 'bunx', 'bun', 'uvx', 'uv', 'pipx', 'deno'])

/** Settings of clients often name them by their paths, such as `/opt/homebrew/bin/npx`. */
export function fetchesPackages(command: string): boolean {
  return FETCHING.has(basename(command))
}
