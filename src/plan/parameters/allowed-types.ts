// The types of values that a schema accepts, as far as it says: by `type`, `enum` and `const`, in its parts,
// and behind references.
import { isRecord, JSON_TYPES, typeName } from '../../base/index.ts'
import { findTarget, targetOf } from './schema-reference.ts'

/** Undefined if the schema does not say. */
export type AllowedTypes = ReadonlySet<string> | undefined

/** Deeper than any schema that a person can follow. */
const MAX_DEPTH = 100

/** The types that a part of the schema `root` allows; each part is looked at once. */
export function allowedTypesIn(root: unknown): (part: unknown) => AllowedTypes {
  const known = new Map<unknown, AllowedTypes>()
  const read = (part: unknown, depth: number): AllowedTypes => {
    if (!isRecord(part) || depth > MAX_DEPTH) return undefined
    if (known.has(part)) return known.get(part)
    // A reference that leads back here adds no restriction.
    known.set(part, undefined)
    const inside = (one: unknown) => read(one, depth + 1)
    const target = targetOf(part)
    const allowed = [
      declaredTypes(part.type),
      Array.isArray(part.enum) ? new Set(part.enum.flatMap(typesOfValue)) : undefined,
      part.const === undefined ? undefined : new Set(typesOfValue(part.const)),
      target === undefined ? undefined : inside(findTarget(root, target)),
      ...[part.anyOf, part.oneOf].map(list => joinTypes(schemasOf(list).map(inside))),
      ...schemasOf(part.allOf).map(inside),
    ].reduce(shareTypes, undefined)
    known.set(part, allowed)
    return allowed
  }
  return part => read(part, 0)
}

/** Every whole number is also a number. */
function declaredTypes(declared: unknown): AllowedTypes {
  const types = new Set<string>(
    (Array.isArray(declared) ? declared : [declared]).filter(type => JSON_TYPES.has(type)),
  )
  if (types.size === 0) return undefined
  return types.has('number') ? types.add('integer') : types
}

function typesOfValue(value: unknown): string[] {
  const type = typeName(value)
  return type === 'integer' ? ['integer', 'number'] : [type]
}

function schemasOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : []
}

function joinTypes(alternatives: readonly AllowedTypes[]): AllowedTypes {
  const joined = new Set<string>()
  for (const types of alternatives) {
    if (types === undefined) return undefined
    for (const type of types) joined.add(type)
  }
  return alternatives.length === 0 ? undefined : joined
}

function shareTypes(some: AllowedTypes, others: AllowedTypes): AllowedTypes {
  if (some === undefined || others === undefined) return some ?? others
  return new Set([...some].filter(type => others.has(type)))
}
