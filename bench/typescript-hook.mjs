// Lets a bench import from `src/` on every Node that we support: those before 22.18 do not read TypeScript themselves.
import { readFileSync } from 'node:fs'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import typescript from 'typescript'

export function registerTypeScript() {
  if (!process.features.typescript) register(import.meta.url)
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context)
  const { outputText: source } = typescript.transpileModule(readFileSync(fileURLToPath(url), 'utf8'), {
    compilerOptions: { target: typescript.ScriptTarget.ES2023, module: typescript.ModuleKind.ESNext },
  })
  return { format: 'module', source, shortCircuit: true }
}
