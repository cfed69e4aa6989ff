// Checks whether neighbours in a chain fit: spaces, declared inputs and outputs, versions. All faults are
// reported together.
import { AppError, isRecord, type JsonValue, quoteText } from '../../base/index.ts'
import { compareVersions, parseFullVersion, precedenceOf } from '../../item/index.ts'
import { declaredIn } from '../configuration/configuration.ts'
import type { VerifiedTool } from '../types.ts'
import { printChain } from './resolve-chain.ts'

/** Returns the number of pairs that were checked, or throws `CHAIN_INVALID` with every fault. */
export function validateChain(elements: readonly VerifiedTool[]): number {
  const faults: string[] = []
  for (let index = 0; index + 1 < elements.length; index++) {
    const child = elements[index]!
    const parent = elements[index + 1]!
    faults.push(
      ...spaceFaults(child, parent),
      ...outputFaults(child, parent),
      ...versionFaults(child, parent),
    )
  }
  if (faults.length === 0) return Math.max(0, elements.length - 1)
  throw new AppError('CHAIN_INVALID', `${faults.join('; ')}; chain: ${printChain(elements)}`, {
    details: { faults },
  })
}

function spaceFaults(child: VerifiedTool, parent: VerifiedTool): string[] {
  if (precedenceOf(parent.space) >= precedenceOf(child.space)) return []
  return [
    `\`${child.id}\` of ${child.space} space cannot depend on \`${parent.id}\` of ${parent.space} space: a space can use only itself and lower spaces`,
  ]
}

/** If both are declared, the executor's inputs must be among the outputs of the element. */
function outputFaults(child: VerifiedTool, parent: VerifiedTool): string[] {
  const given = declaredNames(declaredIn(child, 'outputs'))
  const needed = declaredNames(declaredIn(parent, 'inputs'))
  if (given === undefined || needed === undefined) return []
  const missing = [...needed].filter(name => !given.has(name))
  if (missing.length === 0) return []
  return [
    `\`${parent.id}\` needs inputs that \`${child.id}\` does not declare as outputs: ${missing.join(', ')}`,
  ]
}

/** From a list of names, a list of objects with a `name`, or the keys of an object. */
function declaredNames(declared: JsonValue | undefined): Set<string> | undefined {
  if (isRecord(declared)) return new Set(Object.keys(declared))
  if (!Array.isArray(declared)) return undefined
  const names = declared.map(entry => (isRecord(entry) ? entry.name : entry))
  return new Set(names.filter(name => typeof name === 'string'))
}

function versionFaults(child: VerifiedTool, parent: VerifiedTool): string[] {
  const constraints = declaredIn(parent, 'child_constraints')
  if (!isRecord(constraints) || !Object.hasOwn(constraints, child.id)) return []
  const constraint = constraints[child.id]
  if (!isRecord(constraint))
    return [`\`${parent.id}\`: child_constraints of \`${child.id}\` must be an object`]
  const version = parseFullVersion(child.metadata.version)
  if (version === undefined) {
    return [
      `\`${parent.id}\` constrains the version of \`${child.id}\`, which has no version of the form X.Y.Z`,
    ]
  }
  const faults: string[] = []
  for (const [key, word, sign] of BOUNDS) {
    const bound = constraint[key]
    if (bound === undefined || bound === null) continue
    const limit = parseFullVersion(bound)
    if (limit === undefined)
      faults.push(`\`${parent.id}\`: ${key} must be of the form X.Y.Z, got ${quoteText(bound)}`)
    else if (compareVersions(version, limit) * sign < 0) {
      faults.push(
        `\`${parent.id}\` needs \`${child.id}\` ${word} ${bound}, got ${String(child.metadata.version)}`,
      )
    }
  }
  return faults
}

const BOUNDS = [
  ['min_version', 'at least', 1],
  ['max_version', 'at most', -1],
] as const
