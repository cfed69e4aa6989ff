// Checks one changed item for its author: lists every problem with its place, and tells whether the item can
// be used as it is.
import { relative } from 'node:path'
import type { Library } from '../../../workspace/index.ts'
import { cell, records } from '../render/columns.ts'
import type { Style } from '../terminal.ts'
import { callAction } from './call-action.ts'

export interface CheckedItem {
  readonly lines: readonly string[]
  /** `usable`: it runs as it is. `own`: it has the person's signature and was changed afterwards. */
  readonly state: 'usable' | 'own' | 'broken' | 'unsigned'
}

export interface Checking {
  readonly library: Library
  readonly project: string
  readonly style: Style
  /** Fingerprint of the person's own key. */
  readonly fingerprint: string | undefined
}

export async function checkItem(
  { library, project, style, fingerprint }: Checking,
  ref: string,
): Promise<CheckedItem> {
  const { failed, answer } = await callAction(library, 'show', { item_id: ref, project_path: project })
  if (failed) return { lines: [style.red(`✗ ${ref}: ${cell(answer.error)}`)], state: 'broken' }
  const path = relative(project, cell(answer.path))
  const found = records(answer.diagnostics).map(({ severity, line, column, message }) => {
    const text = `${path}:${cell(line)}:${cell(column)} ${cell(message)}`
    return severity === 'error' ? style.red(`✗ ${text}`) : style.yellow(`! ${text}`)
  })
  const issues = Array.isArray(answer.issues)
    ? answer.issues.map(issue => {
        // Something missing has no line, so it is reported for the start of the file.
        const place = records(answer.places).find(({ message }) => message === issue)
        return style.red(`✗ ${path}:${cell(place?.line ?? 1)}:${cell(place?.column ?? 1)} ${cell(issue)}`)
      })
    : []
  const isBroken =
    issues.length > 0 || records(answer.diagnostics).some(({ severity }) => severity === 'error')
  if (isBroken) return { lines: [...found, ...issues], state: 'broken' }
  const { status, signer, format } = Object(answer.trust)
  const isOwn = status === 'tampered' && format === 'v2' && signer === fingerprint
  if (status === 'verified' || (library.devMode && (status === 'unsigned' || isOwn)))
    return { lines: [...found, `${style.green('✓')} ${ref}`], state: 'usable' }
  const flag = status === 'unsigned' ? '' : ' --take-over'
  const what = isOwn ? 'valid, changed since you signed it' : `valid, ${cell(status)}: rye sign ${ref}${flag}`
  return { lines: [...found, `${style.yellow('!')} ${ref} is ${what}`], state: isOwn ? 'own' : 'unsigned' }
}
