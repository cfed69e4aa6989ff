// Programs that fetch a package by its name before they run it.

const FETCHING = new Set(['npx', 'npm', 'pnpm', 'yarn', 'bunx', 'bun', 'uvx', 'uv', 'pipx', 'deno'])

export function fetchesPackages(command: string): boolean {
  return FETCHING.has(command)
}
