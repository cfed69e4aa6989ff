// Parses XML text to a tree of elements. Declarations are refused before the library sees them, so no
// entities exist but the five predefined ones. Depth is checked first because the library recurses.
import type { XmlElement as ParsedElement } from '@rgrove/parse-xml'
import { lazy } from '../../base/index.ts'
import { reasonOf } from '../report.ts'
import { scanTags, type Tag } from './tags.ts'

export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** All text inside, trimmed. */
  readonly text: string
  /** Offset in the XML text. */
  readonly start: number
}

const loadParseXml = lazy(() => import('@rgrove/parse-xml'))

const MAX_CHARACTERS = 256_000
const MAX_DEPTH = 64

/** Called with each problem and its offset in the XML text. The severity is `error` by default. */
export type OnXmlProblem = (
  code: string,
  message: string,
  offset: number,
  severity?: 'error' | 'warning',
) => void

/** The first element's opening tag, which can be read even if the rest is not well-formed. */
export function findRootTag(xml: string): Tag | undefined {
  for (const tag of scanTags(xml)) if (tag.kind === 'open' || tag.kind === 'empty') return tag
  return undefined
}

/** The root element, or undefined after a problem was reported. */
export async function parseXmlTree(xml: string, onProblem: OnXmlProblem): Promise<XmlElement | undefined> {
  if (!isAcceptable(xml, onProblem)) return undefined
  const { parseXml, XmlError } = await loadParseXml()
  try {
    const { root } = parseXml(xml, { includeOffsets: true })
    return root === null ? undefined : toElement(root).element
  } catch (thrown) {
    if (!(thrown instanceof XmlError)) throw thrown
    const reason = reasonOf(thrown)
    const code = reason.startsWith('named entity') ? 'xml-entity' : 'xml-syntax'
    onProblem(code, reason, toUtf16Offset(xml, thrown.pos))
    return undefined
  }
}

/** Collects the text on the way: the library's own `text` walks the whole subtree again for each element. */
function toElement(node: ParsedElement): { element: XmlElement; text: string } {
  const children: XmlElement[] = []
  let text = ''
  for (const child of node.children) {
    if (isElement(child)) {
      const inner = toElement(child)
      children.push(inner.element)
      text += inner.text
    } else if ('text' in child) text += child.text
  }
  const { name, attributes, start } = node
  return { element: { name, attributes, children, text: text.trim(), start }, text }
}

function isElement(node: object): node is ParsedElement {
  return 'attributes' in node
}

function isAcceptable(xml: string, onProblem: OnXmlProblem): boolean {
  if (xml.length > MAX_CHARACTERS) {
    onProblem('xml-too-large', `expected at most ${MAX_CHARACTERS} characters of XML, got ${xml.length}`, 0)
    return false
  }
  let depth = 0
  for (const tag of scanTags(xml)) {
    if (tag.kind === 'declaration') {
      onProblem(
        'xml-declaration',
        `\`<!${tag.name}\` is refused: directives have no document type or entities`,
        tag.start,
      )
      return false
    }
    if (tag.kind === 'open') depth++
    else if (tag.kind === 'close') depth--
    if (depth > MAX_DEPTH) {
      onProblem('xml-too-deep', `expected at most ${MAX_DEPTH} levels of elements`, tag.start)
      return false
    }
  }
  return true
}

/** Needed because the library counts code points. */
function toUtf16Offset(text: string, codePoints: number): number {
  let offset = 0
  for (let count = 0; count < codePoints && offset < text.length; count++) {
    offset += text.codePointAt(offset)! > 0xffff ? 2 : 1
  }
  return offset
}
