// Finds references in a schema, and what they lead to.
import { isRecord } from '../../base/index.ts'
import { pointerNames } from './parameter-faults.ts'

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const

export function targetOf(node: Readonly<Record<string, unknown>>): string | undefined {
  const target = REFERENCES.map(key => node[key]).find(value => typeof value === 'string')
  return typeof target === 'string' ? target : undefined
}

/** Resolves a JSON pointer. Undefined for a reference by name. */
export function findTarget(base: unknown, reference: string): Record<string, unknown> | undefined {
  if (!reference.startsWith('#/')) return undefined
  let found: unknown = base
  for (const name of pointerNames(decode(reference).slice(2))) {
    if (Array.isArray(found)) found = found[Number(name)]
    else if (isRecord(found) && Object.hasOwn(found, name)) found = found[name]
    else return undefined
  }
  return isRecord(found) ? found : undefined
}

function decode(reference: string): string {
  try {
    return decodeURIComponent(reference)
  } catch {
    // Malformed, so it leads nowhere; the compiler reports it.
    return reference
  }
}
