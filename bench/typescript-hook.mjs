// Lets a bench import from `src/` on every Node version that we support: Node before 22.18 does not read
// TypeScript by itself.
import { readFileSync } from 'node:fs'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformWithOxc } from 'vite'

export function registerTypeScript() {
  if (!process.features.typescript) register(import.meta.url)
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context)
  const path = fileURLToPath(url)
  const { code: source } = await transformWithOxc(readFileSync(path, 'utf8'), path, {
    target: 'es2023',
    sourcemap: false,
  })
  return { format: 'module', source, shortCircuit: true }
}
