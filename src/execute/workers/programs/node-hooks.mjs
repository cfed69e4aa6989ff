// Module hooks for a script in a private copy: `.ts` files are modules (Node 20 does not know them), and
// packages are resolved from the place where the author put the tool. `#names` are not: there, an unsigned
// `package.json` would decide which file they mean.
import { readFile } from 'node:fs/promises'
import { checkSource, isEvaluated, isPackage, Packages } from './node-packages.cjs'

let packages

export function initialize(data) {
  packages = new Packages(data)
}

export async function resolve(specifier, context, next) {
  const isOwn = context.parentURL !== undefined && packages.isVerified(context.parentURL)
  if (!isOwn && isPackage(specifier) && isEvaluated(decodeURI(context.parentURL ?? ''))) {
    const found = await next(specifier, context)
    packages.checkEvaluated(specifier, found.url)
    return found
  }
  if (!isOwn || !(isPackage(specifier) || specifier.startsWith('#'))) return next(specifier, context)
  let near
  try {
    near = await next(specifier, context)
  } catch (thrown) {
    if (!isPackage(specifier)) throw thrown
    const far = await next(specifier, { ...context, parentURL: packages.anchorUrl })
    packages.checkFar(specifier, far.url)
    return far
  }
  packages.checkNear(specifier, near.url)
  return near
}

export async function load(url, context, next) {
  if (!/\.m?ts$/.test(url)) return next(url, context)
  const source = checkSource(await readFile(new URL(url), 'utf8'))
  return { format: 'module', source, shortCircuit: true }
}
