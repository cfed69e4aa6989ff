// `markdown/xml`: directives. Metadata is the `<directive>` in the first xml fence that holds one; what follows the
// fence is prose for a model. When the XML is broken, the opening tag and the steps are still read.
import { isRecord } from '../../base/index.ts'
import { createMetadata } from '../metadata.ts'
import { createReport, type Report } from '../report.ts'
import { skipSignatureLine } from '../signature-line.ts'
import type { Metadata, Parser } from '../types.ts'
import { readActions } from './actions.ts'
import { addDirectiveFields } from './directive-fields.ts'
import { contentOf, type Fence, findFences, MAX_METADATA_FENCES, toFileOffset } from './fences.ts'
import { findRootTag, type OnXmlProblem, parseXmlTree, type XmlElement } from './xml-tree.ts'

/** Fields that are always present, even if empty. */
const DICTS = ['model', 'limits']
const LISTS = ['permissions', 'hooks', 'inputs', 'outputs']

export const markdownXml: Parser = {
  name: 'markdown/xml',
  async parse({ text }) {
    const report = createReport(text)
    const begin = skipSignatureLine(text)
    const fence = findDirectiveFence(text, begin)
    const body = text.slice(fence?.end ?? begin).trim()
    const xml = fence === undefined ? undefined : contentOf(text, fence).trimEnd()

    const metadata = createMetadata()
    let aside = ''
    let prose: string | undefined
    if (fence !== undefined && xml !== undefined) {
      const root = await readDirective({ text, fence, xml }, metadata, report)
      const before = text.slice(begin, fence.start).trim()
      aside = [before, root ? processOf(root) : xml].join('\n\n').trim()
      // XML that cannot be parsed is searched as a whole, but not shown, since it may contain metadata.
      if (root === undefined) prose = [before, body].join('\n\n').trim()
    } else report.error('directive-missing', 'expected an ```xml fence with a <directive>', begin)

    // An attribute of the root with such a name must not be taken for the element.
    for (const name of DICTS) if (!isRecord(metadata[name])) metadata[name] = createMetadata()
    for (const name of LISTS) if (!Array.isArray(metadata[name])) metadata[name] = []
    metadata.actions = [...readActions(xml ?? ''), ...readActions(body)]
    if (xml !== undefined) metadata.content = xml.trim()
    metadata.body = body
    metadata.raw = text
    return { metadata, body, aside, ...(prose !== undefined && { prose }), diagnostics: report.diagnostics }
  },
}

/** The first xml fence whose root is `<directive>`; failing that, the first xml fence. */
function findDirectiveFence(text: string, begin: number): Fence | undefined {
  let first: Fence | undefined
  for (const fence of findFences(text, begin, MAX_METADATA_FENCES)) {
    if (fence.language !== 'xml') continue
    if (findRootTag(text.slice(fence.contentStart, fence.contentEnd))?.name === 'directive') return fence
    first ??= fence
  }
  return first
}

interface DirectiveExcerpt {
  readonly text: string
  readonly fence: Fence
  readonly xml: string
}

/** Fills in the metadata. Returns the tree, if there is one. */
async function readDirective(
  excerpt: DirectiveExcerpt,
  metadata: Metadata,
  report: Report,
): Promise<XmlElement | undefined> {
  const { text, fence, xml } = excerpt
  if (!fence.isClosed) report.error('fence-unterminated', 'expected a line to close this fence', fence.start)
  const onProblem: OnXmlProblem = (code, message, offset, severity = 'error') =>
    report.at(toFileOffset(text, fence, offset))(severity, code, message)

  if (xml.trim() === '') {
    onProblem('directive-missing', 'expected a <directive>, got an empty fence', 0)
    return undefined
  }
  const root = await parseXmlTree(xml, onProblem)
  if (root !== undefined && root.name !== 'directive') {
    onProblem('directive-missing', `expected <directive> as the root, got \`<${root.name}>\``, root.start)
    return undefined
  }
  Object.assign(metadata, root?.attributes ?? readOpeningTag(xml))
  if (root !== undefined) addDirectiveFields(root, metadata, onProblem)
  return root
}

/** The text of a directive outside its fields: the steps of its process, descriptions of its outputs. */
function processOf(root: XmlElement): string {
  return root.children
    .filter(({ name }) => name !== 'metadata' && name !== 'inputs')
    .flatMap(child => [...textsOf(child), ...attributesOf(child)])
    .join('\n')
}

/** The text of an element in one piece if it has any of its own, else that of each child. */
function textsOf({ text, children }: XmlElement): string[] {
  const inner = children.flatMap(textsOf)
  return inner.length > 0 && withoutSpace(inner.join('')) === withoutSpace(text) ? inner : [text]
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, '')
}

function attributesOf(element: XmlElement): string[] {
  return [...Object.values(element.attributes), ...element.children.flatMap(attributesOf)]
}

/** The attributes of the opening tag: all that is known of a directive whose XML is broken further on. */
function readOpeningTag(xml: string): Metadata {
  const tag = findRootTag(xml)
  const attributes = createMetadata()
  if (tag?.name === 'directive') for (const [name, value] of tag.attributes) attributes[name] = value
  return attributes
}
