// Makes a KnowledgeEntry of a document, from its front matter or else from its text and file name.
import { type JsonObject, quoteText, sha256Hex } from '../../../base/index.ts'
import { createFileReport, type FileReport } from '../file-report.ts'
import type {
  GenericFrontmatter,
  KnowledgeCategory,
  KnowledgeDetails,
  KnowledgeEntry,
  KnowledgeMetadata,
  SkillDiagnostic,
} from '../records.ts'
import { createFieldReader } from './fields.ts'
import { type FrontMatter, readFrontMatter } from './front-matter.ts'
import { previewOf, readOutline } from './outline.ts'

const CATEGORIES: Readonly<Record<KnowledgeCategory, readonly string[]>> = {
  architecture: ['arch'],
  debugging: ['debug'],
  error: ['err', 'errors'],
  note: ['notes'],
  pattern: ['patterns'],
  reference: ['ref', 'references'],
  technique: ['techniques'],
  workflow: ['workflows'],
  solution: ['solutions'],
  unknown: [],
}

export interface ReadKnowledge {
  readonly entry: KnowledgeEntry | undefined
  readonly details?: KnowledgeDetails
  readonly diagnostics: readonly SkillDiagnostic[]
}

/** The id is made from the path, so it stays the same when the text changes. */
export async function readKnowledge(filePath: string, bytes: Uint8Array): Promise<ReadKnowledge> {
  const diagnostics: SkillDiagnostic[] = []
  const report = createFileReport(filePath, diagnostics)
  const matter = await readFrontMatter(bytes, report, { fences: true, nested: true })
  if (matter === undefined) return { entry: undefined, diagnostics }
  const frontmatter = readGenericFrontmatter(matter, report)
  const metadata = readKnowledgeMetadata(frontmatter, matter, report)
  const stem = filePath.slice(filePath.lastIndexOf('/') + 1).replace(/\.md$/, '')
  const entry: KnowledgeEntry = {
    id: sha256Hex(filePath).slice(0, 32),
    file_path: filePath,
    title: metadata.title ?? readOutline(matter.body).title ?? stem.replace(/[-_]/g, ' '),
    description: metadata.description ?? '',
    category: metadata.category ?? 'unknown',
    tags: metadata.tags,
    authors: metadata.authors,
    source: metadata.source,
    version: metadata.version ?? '',
    file_hash: sha256Hex(bytes),
    content_preview: previewOf(matter.body),
  }
  return { entry, details: { file_path: filePath, frontmatter, metadata }, diagnostics }
}

function readKnowledgeMetadata(
  generic: GenericFrontmatter,
  matter: FrontMatter,
  report: FileReport,
): KnowledgeMetadata {
  const fields = createFieldReader(matter, 'margin', report)
  const author = fields.text('author')
  return {
    title: generic.title,
    description: generic.description,
    category: generic.category === null ? null : readCategory(generic.category, matter, report),
    tags: generic.tags ?? [],
    authors: fields.names('authors') ?? (author === undefined ? [] : [author]),
    source: fields.text('source') ?? null,
    version: fields.text('version') ?? null,
  }
}

/** The keys that any document has; all others are its `metadata`. */
function readGenericFrontmatter(matter: FrontMatter, report: FileReport): GenericFrontmatter {
  const { title: _t, description: _d, category: _c, tags: _g, metadata, ...others } = matter.data
  const inner: JsonObject =
    metadata !== null && typeof metadata === 'object' && !Array.isArray(metadata) ? metadata : {}
  const rest: JsonObject = { ...others, ...inner }
  const fields = createFieldReader(matter, 'margin', report)
  return {
    title: fields.text('title') ?? null,
    description: fields.text('description') ?? null,
    category: fields.text('category') ?? null,
    tags: fields.list('tags') ?? null,
    metadata: Object.keys(rest).length > 0 ? rest : null,
  }
}

function readCategory(text: string, matter: FrontMatter, report: FileReport): KnowledgeCategory {
  const word = text.trim().toLowerCase()
  for (const [category, aliases] of Object.entries(CATEGORIES)) {
    // The keys of the table are the categories.
    if (word === category || aliases.includes(word)) return category as KnowledgeCategory
  }
  const known = Object.keys(CATEGORIES).join(', ')
  const message = `\`category\`: expected one of ${known}, got ${quoteText(text)}`
  report.warning('category-unknown', message, matter.placeOf('category'))
  return 'unknown'
}
