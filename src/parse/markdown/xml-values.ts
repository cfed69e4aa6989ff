// Values of XML attributes and leaf elements, which are all text until something says otherwise.
import type { JsonValue } from '../../base/index.ts'
import { createMetadata } from '../metadata.ts'
import type { Metadata } from '../types.ts'
import type { XmlElement } from './xml-tree.ts'

export function attributesOf(element: XmlElement): Metadata {
  return Object.assign(createMetadata(), element.attributes)
}

/** Attributes and child elements as one dict: `<limits turns="6"><spend>0.5</spend></limits>`. */
export function dictOf(element: XmlElement, convert: (text: string) => JsonValue): Metadata {
  const dict = createMetadata()
  for (const [name, value] of Object.entries(element.attributes)) dict[name] = convert(value)
  for (const child of element.children) dict[child.name] = convert(child.text)
  return dict
}

/** `6` and `0.05` are numbers; everything else is text. */
export function toNumberOrText(text: string): JsonValue {
  if (!/^[-+]?\d{1,300}(?:\.\d{1,300})?$/.test(text)) return text
  const number = Number(text)
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? text : number
}

/** As `toNumberOrText`, with `true` and `false`. */
export function toScalar(text: string): JsonValue {
  if (/^true$/i.test(text)) return true
  if (/^false$/i.test(text)) return false
  return toNumberOrText(text)
}
