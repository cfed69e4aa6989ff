// Converts `<hooks>` to a list: each child's attributes, with its condition, actions, inputs and other
// children as fields.
import type { JsonValue } from '../../base/index.ts'
import { createMetadata } from '../metadata.ts'
import type { Metadata } from '../types.ts'
import { PRIMARY_ACTIONS } from './actions.ts'
import type { XmlElement } from './xml-tree.ts'
import { attributesOf, toScalar } from './xml-values.ts'

export function readHooks(hooks: XmlElement): Metadata[] {
  return hooks.children.map(readHook)
}

function readHook(hook: XmlElement): Metadata {
  const result = attributesOf(hook)
  if (hook.name !== 'hook') result.tag = hook.name
  if (hook.children.length === 0 && hook.text !== '') result.content = hook.text
  for (const child of hook.children) {
    if (child.name === 'action') readAction(child, result)
    else if (child.name === 'condition') result.condition = readCondition(child)
    else if (child.name === 'inputs') result.inputs = readNamed(child)
    else if (child.text !== '') result[child.name] = child.text
  }
  return result
}

function readAction(action: XmlElement, hook: Metadata): void {
  const calls = action.children.filter(child => PRIMARY_ACTIONS.has(child.name))
  if (calls.length === 0) hook.action = withText(withParams(action, attributesOf(action)), action.text)
  else {
    hook.actions = calls.map(call =>
      withParams(call, Object.assign(createMetadata(), { primary: call.name }, attributesOf(call))),
    )
  }
}

function withParams(element: XmlElement, result: Metadata): Metadata {
  const params = readNamed(element)
  if (Object.keys(params).length > 0) result.params = params
  return result
}

function readCondition(condition: XmlElement): JsonValue {
  const result = attributesOf(condition)
  if (typeof result.value === 'string') result.value = toScalar(result.value)
  return withText(result, condition.text)
}

/** The attributes, with the text as `content`. Without attributes, just the text, as for other children. */
function withText(result: Metadata, text: string): JsonValue {
  if (text === '') return result
  return Object.keys(result).length === 0 ? text : Object.assign(result, { content: text })
}

/** Children such as `<param name="x" value="1"/>` or `<input name="x">1</input>` as a dict. */
function readNamed(element: XmlElement): Metadata {
  const dict = createMetadata()
  for (const { name, attributes, text } of element.children) {
    const value: JsonValue = attributes.value ?? text
    dict[attributes.name ?? name] = value
  }
  return dict
}
