// Converts the tree of a `<directive>` to metadata fields.
import { createMetadata } from '../metadata.ts'
import type { Metadata } from '../types.ts'
import { readHooks } from './hooks.ts'
import { readPermissions } from './permissions.ts'
import type { OnXmlProblem, XmlElement } from './xml-tree.ts'
import { dictOf, toNumberOrText, toScalar } from './xml-values.ts'

/**
 * Adds the fields of the tree to `metadata`, which already has the attributes of the root. Only the elements
 * named in `addField` replace an attribute of the same name.
 */
export function addDirectiveFields(root: XmlElement, metadata: Metadata, onProblem: OnXmlProblem): void {
  for (const child of root.children) {
    if (child.name === 'metadata') for (const field of child.children) addField(field, metadata, onProblem)
    else if (child.name !== 'process') addField(child, metadata, onProblem)
  }
}

function addField(field: XmlElement, metadata: Metadata, onProblem: OnXmlProblem): void {
  switch (field.name) {
    case 'model':
    case 'model_class':
      metadata[field.name] = dictOf(field, text => text)
      return
    case 'limits':
      metadata.limits = dictOf(field, toNumberOrText)
      return
    case 'runtime':
      metadata.runtime = dictOf(field, toScalar)
      return
    case 'permissions': {
      const { capabilities, acknowledged } = readPermissions(field, onProblem)
      metadata.permissions = capabilities
      if (acknowledged.length > 0) metadata.acknowledged_risks = acknowledged
      return
    }
    case 'inputs':
      metadata.inputs = field.children.flatMap(toEntry('input', onProblem))
      return
    case 'outputs':
      metadata.outputs = field.children.flatMap(toEntry('output', onProblem))
      return
    case 'hooks':
      metadata.hooks = readHooks(field)
      return
    case 'context':
      metadata.context = readContext(field, onProblem)
      return
    case 'category':
      metadata.category = field.text
      return
    default:
      if (field.text !== '' && !Object.hasOwn(metadata, field.name)) metadata[field.name] = field.text
  }
}

function toEntry(tag: 'input' | 'output', onProblem: OnXmlProblem): (element: XmlElement) => Metadata[] {
  return element => {
    if (element.name !== tag) {
      onProblem(
        'element-unknown',
        `expected <${tag}> in <${tag}s>, got \`<${element.name}>\``,
        element.start,
        'warning',
      )
      return []
    }
    const given = dictOf(element, text => text)
    const entry = createMetadata()
    if (given.name !== undefined) entry.name = given.name
    entry.type = given.type ?? 'string'
    entry.required = /^(?:true|yes|1)$/i.test(String(given.required ?? ''))
    if (tag === 'input' && given.default !== undefined) entry.default = given.default
    const description = given.description ?? (element.children.length === 0 ? element.text : '')
    if (description !== '') entry.description = description
    return [entry]
  }
}

const CONTEXT_TAGS = ['system', 'before', 'after', 'suppress']

function readContext(context: XmlElement, onProblem: OnXmlProblem): Metadata {
  const result = createMetadata()
  for (const name of CONTEXT_TAGS) {
    result[name] = context.children.filter(child => child.name === name).map(child => child.text)
  }
  for (const child of context.children) {
    if (CONTEXT_TAGS.includes(child.name)) continue
    const known = CONTEXT_TAGS.join(', ')
    onProblem(
      'element-unknown',
      `expected one of ${known} in <context>, got \`<${child.name}>\``,
      child.start,
      'warning',
    )
  }
  return result
}
