// Answers three separate questions about a skill: can we use it, does it follow the specification, and do MCP
// clients get it.
import { basename } from 'node:path'
import { AppError } from '../../base/index.ts'
import { idProblem } from '../../item/index.ts'
import { readSkill } from '../read/read-skill.ts'
import type { SkillDiagnostic, SkillFolder } from '../read/records.ts'
import { mainFileOf } from '../read/structure.ts'
import { serveSkill } from '../serve/serve-skill.ts'
import { checkSpecification } from './specification.ts'

/** A yes, or a no with its reasons. */
export interface SkillVerdict {
  readonly ok: boolean
  readonly reasons: readonly string[]
}

export interface SkillValidation {
  readonly name: string
  readonly path: string
  /** The same as `conforms.ok`: there are no errors. */
  readonly valid: boolean
  /** It can be searched, signed, loaded and run here. */
  readonly loads: SkillVerdict
  /** It follows the specification to the letter. */
  readonly conforms: SkillVerdict
  /** Clients of the Skills extension of MCP get it. */
  readonly served: SkillVerdict
  readonly errors: readonly SkillDiagnostic[]
  readonly warnings: readonly SkillDiagnostic[]
}

/** Signing adds this file. */
const SIGNATURE = 'SKILL.sig'

export async function validateSkill(folder: SkillFolder): Promise<SkillValidation> {
  const sorted = await checkSpecification(folder)
  const main = mainFileOf(folder)
  const errors = sorted.filter(one => one.severity === 'error')
  const warnings = sorted.filter(one => one.severity === 'warning')
  const loads = verdict(await findObstacle(folder, main))
  return {
    name: folder.name,
    path: folder.path,
    valid: errors.length === 0,
    loads,
    conforms: verdict(...errors.map(one => one.message)),
    served: loads.ok ? verdict(await refusalToServe(folder, main)) : loads,
    errors,
    warnings,
  }
}

/** The validation of a folder whose SKILL.md is not a readable file. */
export function unusableSkill(
  { name, path }: Pick<SkillFolder, 'name' | 'path'>,
  fault: SkillDiagnostic,
): SkillValidation {
  const message = `no readable file \`${basename(fault.path)}\` in the folder: ${fault.message}`
  const refused = verdict(message)
  const errors = [{ ...fault, severity: 'error', code: 'skill-md', message } as const]
  return {
    name,
    path,
    valid: false,
    loads: refused,
    conforms: refused,
    served: refused,
    errors,
    warnings: [],
  }
}

function verdict(...reasons: (string | undefined)[]): SkillVerdict {
  const given = reasons.filter(reason => reason !== undefined)
  return { ok: given.length === 0, reasons: given }
}

/** Why a skill cannot be used at all: an invalid id, an unreadable SKILL.md, or nothing that describes it. */
async function findObstacle(folder: SkillFolder, main: string): Promise<string | undefined> {
  const id = idProblem(folder.name)
  if (id !== undefined) return `the folder's name is not an item id: ${id}`
  if (!folder.files.get(main)) return `no readable file \`${main}\` in the folder`
  const { metadata, diagnostics } = await readSkill({
    ...folder,
    files: new Map([[main, folder.files.get(main)]]),
  })
  const fault = diagnostics.find(one => one.severity === 'error')
  if (fault) return fault.message
  return metadata.description === ''
    ? 'expected a `description`, a first paragraph or a heading, got none of them'
    : undefined
}

/** Why some client could not take it once it is signed. Undefined when every client can. */
async function refusalToServe(folder: SkillFolder, main: string): Promise<string | undefined> {
  const nothing = new Uint8Array()
  const files = [...folder.files.keys()].map((path): [string, Uint8Array] => [path, nothing])
  const parts = new Map([...files, [SIGNATURE, nothing], [main, folder.files.get(main)!]] as const)
  try {
    await serveSkill(folder.name, parts)
    return undefined
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return thrown.message
  }
}
