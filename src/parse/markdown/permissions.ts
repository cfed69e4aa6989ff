// `<permissions>` as capability strings: `rye.<action>.<type>.<pattern>`, with `*` for everything below.
import { ITEM_TYPES } from '../../item/index.ts'
import { createMetadata } from '../metadata.ts'
import type { Metadata } from '../types.ts'
import { PRIMARY_ACTIONS } from './actions.ts'
import type { OnXmlProblem, XmlElement } from './xml-tree.ts'

const TYPE_TAGS: ReadonlySet<string> = new Set(ITEM_TYPES)

export interface Permissions {
  readonly capabilities: Metadata[]
  /** `{risk, reason}` of each `<acknowledge>`. */
  readonly acknowledged: Metadata[]
}

export function readPermissions(element: XmlElement, onProblem: OnXmlProblem): Permissions {
  const capabilities: Metadata[] = []
  const acknowledged: Metadata[] = []
  if (element.children.length === 0 && element.text === '*') capabilities.push(capability('rye.*'))
  else if (element.children.length === 0 && element.text !== '') {
    onProblem(
      'permission-text',
      `expected \`*\` or elements in <permissions>, got \`${element.text}\``,
      element.start,
    )
  }
  for (const child of element.children) {
    if (child.name === 'acknowledge') {
      const { risk = '' } = child.attributes
      acknowledged.push(Object.assign(createMetadata(), { risk, reason: child.text }))
    } else if (PRIMARY_ACTIONS.has(child.name)) {
      capabilities.push(...readAction(child, onProblem))
    } else {
      onProblem(
        'permission-unknown',
        unknownTag(child, 'permissions', [...PRIMARY_ACTIONS, 'acknowledge']),
        child.start,
      )
    }
  }
  return { capabilities, acknowledged }
}

function readAction(action: XmlElement, onProblem: OnXmlProblem): Metadata[] {
  if (action.children.length === 0 && action.text !== '')
    return [capability(`rye.${action.name}.${action.text}`)]
  if (action.children.length === 0) {
    onProblem('permission-empty', `expected \`*\` or a pattern in <${action.name}>`, action.start)
  }
  return action.children.flatMap(child => {
    if (!TYPE_TAGS.has(child.name)) {
      onProblem('permission-unknown', unknownTag(child, action.name, [...TYPE_TAGS]), child.start)
      return []
    }
    if (child.text === '') {
      onProblem('permission-empty', `expected \`*\` or a pattern in <${child.name}>`, child.start)
      return []
    }
    return [capability(`rye.${action.name}.${child.name}.${child.text}`)]
  })
}

function capability(content: string): Metadata {
  return Object.assign(createMetadata(), { tag: 'cap', content })
}

function unknownTag(child: XmlElement, parent: string, known: readonly string[]): string {
  return `expected one of ${known.join(', ')} in <${parent}>, got \`<${child.name}>\``
}
