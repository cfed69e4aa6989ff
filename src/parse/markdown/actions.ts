// The calls that a directive's steps make: `<execute item_id="...">` and similar tags inside `<process>` or `<step>`.
// Steps are prose for a model and often not well-formed XML, so they are scanned, not parsed.
import { createMetadata } from '../metadata.ts'
import type { Metadata } from '../types.ts'
import { decodeReferences, scanTags, type Tag } from './tags.ts'

/** The actions that a directive may call, or have permission for. */
export const PRIMARY_ACTIONS: ReadonlySet<string> = new Set(['search', 'load', 'fetch', 'execute', 'sign'])

const SCOPES = new Set(['process', 'step'])

/** Each call as `{primary, ...attributes, params?}`, in text order. */
export function readActions(text: string): Metadata[] {
  const actions: Metadata[] = []
  let scope = 0
  let current: Metadata | undefined
  let parameter: Tag | undefined
  for (const tag of scanTags(text)) {
    if (SCOPES.has(tag.name)) {
      if (tag.kind === 'open') scope++
      // `</process>` also ends steps that were never closed.
      else if (tag.kind === 'close') scope = tag.name === 'process' ? 0 : Math.max(0, scope - 1)
      current = parameter = undefined
    } else if (PRIMARY_ACTIONS.has(tag.name)) {
      current = parameter = undefined
      if (tag.kind === 'close' || scope === 0) continue
      const action = createAction(tag)
      actions.push(action)
      if (tag.kind === 'open') current = action
    } else if (tag.name === 'param' && current !== undefined) {
      if (tag.kind === 'close') {
        if (parameter !== undefined) setParameter(current, parameter, textBetween(text, parameter, tag))
        parameter = undefined
      } else if (tag.kind === 'open' && !tag.attributes.has('value')) parameter = tag
      else setParameter(current, tag, tag.attributes.get('value') ?? '')
    }
  }
  return actions
}

function createAction(tag: Tag): Metadata {
  const action = createMetadata()
  action.primary = tag.name
  for (const [key, value] of tag.attributes) if (key !== 'primary') action[key] = value
  return action
}

function setParameter(action: Metadata, tag: Tag, value: string): void {
  const name = tag.attributes.get('name')
  if (name === undefined) return
  const known = action.params
  const params =
    typeof known === 'object' && known !== null && !Array.isArray(known) ? known : createMetadata()
  params[name] = value
  action.params = params
}

function textBetween(text: string, open: Tag, close: Tag): string {
  const raw = text.slice(open.end, close.start).trim()
  const isCdata = raw.startsWith('<![CDATA[') && raw.endsWith(']]>')
  return isCdata ? raw.slice(9, -3) : decodeReferences(raw)
}
