// The rules of the Agent Skills specification, each with its reason. Errors break the specification; warnings
// concern its recommendations, and points on which clients differ. https://agentskills.io/specification
import { describeType, type JsonValue, quoteText } from '../../base/index.ts'
import { type FrontMatter, readFrontMatter } from '../read/documents/front-matter.ts'
import { createFileReport, type FileReport, sortDiagnostics } from '../read/file-report.ts'
import { pathIn } from '../read/read-skill.ts'
import type { SkillDiagnostic, SkillFolder } from '../read/records.ts'
import { mainFileOf, reportMainFile, SKILL_FILE } from '../read/structure.ts'

const FIELDS = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']
/**
 * Codes of what our reader accepts with a warning and the specification's refuses, besides problems of YAML.
 * The latter accepts blanks after a mark, an indented mark, and quoted values that continue at the margin.
 */
const REPAIRED = new Set([
  'binary-refused',
  'byte-order-mark',
  'description-nested',
  'field-type',
  'front-matter-dots',
  'front-matter-late',
  'frontmatter-unterminated',
  'metadata-too-large',
  'value-refused',
])
const MAX_NAME = 64
const MAX_DESCRIPTION = 1024
const MAX_COMPATIBILITY = 500
const MAX_BODY_LINES = 500
/** About 5 000 tokens. */
const MAX_BODY_CHARACTERS = 20_000
const MAX_FILES = 512
const RESERVED_KEYS = 'io.modelcontextprotocol/'

export async function checkSpecification(folder: SkillFolder): Promise<SkillDiagnostic[]> {
  const found: SkillDiagnostic[] = []
  const main = mainFileOf(folder)
  const report = createFileReport(pathIn(folder, main), found)
  const bytes = folder.files.get(main)
  if (bytes) await checkMain(folder, bytes, report)
  else report.error('skill-md', `expected a readable file \`${SKILL_FILE}\` in the folder, got none`)
  reportMainFile(folder, path => {
    const one = createFileReport(pathIn(folder, path), found)
    // The reference implementation accepts only `SKILL.md` and `skill.md`.
    return path === SKILL_FILE.toLowerCase() ? one : { ...one, warning: asError('skill-md-case', one) }
  })
  if (folder.files.size > MAX_FILES)
    report.warning(
      'too-many-files',
      `MCP clients take at most ${MAX_FILES} files of a skill, got ${folder.files.size}`,
    )
  return sortDiagnostics(found)
}

/** Reports warnings of this code as errors. */
function asError(code: string, report: FileReport): FileReport['warning'] {
  return (given, ...rest) => (given === code ? report.error : report.warning)(given, ...rest)
}

async function checkMain(folder: SkillFolder, bytes: Uint8Array, report: FileReport): Promise<void> {
  const matter = await readFrontMatter(bytes, strict(report))
  if (!matter) return
  if (matter.absence !== undefined) {
    report.error('front-matter', matter.absence)
    return
  }
  for (const key of Object.keys(matter.data)) {
    if (FIELDS.includes(key)) continue
    const message = `unknown field \`${key}\`: the specification has ${FIELDS.join(', ')}; put others below \`metadata\``
    report.error('field-unknown', message, matter.placeOf(key))
  }
  checkName(folder, matter, report)
  checkDescription(matter, report)
  checkOptional(matter, report)
  checkBody(folder, matter, report)
}

/** Turns warnings about what we accept and the specification does not into errors. */
function strict(report: FileReport): FileReport {
  return {
    ...report,
    warning: (code, ...rest) => (isRepair(code) ? report.error : report.warning)(code, ...rest),
    add: diagnostics =>
      report.add(diagnostics.map(one => (isRepair(one.code) ? { ...one, severity: 'error' as const } : one))),
  }
}

function isRepair(code: string): boolean {
  return code.startsWith('yaml-') || REPAIRED.has(code)
}

function checkName(folder: SkillFolder, matter: FrontMatter, report: FileReport): void {
  const name = requiredText('name', matter, report)
  if (name === undefined) return
  const place = matter.placeOf('name')
  const wrong = (code: string, message: string) => report.error(code, `\`name\`: ${message}`, place)
  const normal = name.normalize('NFKC')
  const length = [...normal].length
  if (length > MAX_NAME) wrong('name-length', `expected at most ${MAX_NAME} characters, got ${length}`)
  if (normal !== normal.toLowerCase()) wrong('name-case', `expected lower case, got ${quoteText(name)}`)
  if (!/^[\p{L}\p{N}-]*$/u.test(normal))
    wrong('name-characters', `expected letters, digits and hyphens, got ${quoteText(name)}`)
  else if (/[^A-Za-z0-9-]/.test(normal))
    report.warning('name-ascii', '`name`: some clients take only a-z, 0-9 and hyphens', place)
  if (normal.startsWith('-') || normal.endsWith('-'))
    wrong('name-hyphen', 'may not begin or end with a hyphen')
  if (normal.includes('--')) wrong('name-hyphen', 'may not contain two hyphens in a row')
  const own = folder.name.normalize('NFKC')
  if (normal === own) return
  wrong(
    'name-folder',
    isName(own)
      ? `expected the folder's name ${quoteText(folder.name)}, got ${quoteText(name)}`
      : `expected a folder called ${quoteText(name)}, got ${quoteText(folder.name)}, which is not a valid skill name: rename the folder`,
  )
}

function isName(text: string): boolean {
  return (
    [...text].length <= MAX_NAME &&
    text === text.toLowerCase() &&
    /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u.test(text)
  )
}

function checkDescription(matter: FrontMatter, report: FileReport): void {
  const description = requiredText('description', matter, report)
  if (description === undefined) return
  const length = [...description].length
  if (length > MAX_DESCRIPTION) {
    const message = `\`description\`: expected at most ${MAX_DESCRIPTION} characters, got ${length}`
    report.error('description-length', message, matter.placeOf('description'))
  }
}

function checkOptional(matter: FrontMatter, report: FileReport): void {
  const { license, compatibility, metadata } = matter.data
  expectText('license', license, matter, report)
  if (expectText('compatibility', compatibility, matter, report) && typeof compatibility === 'string') {
    const length = [...compatibility].length
    if (length === 0 || length > MAX_COMPATIBILITY) {
      const message = `\`compatibility\`: expected 1 to ${MAX_COMPATIBILITY} characters, got ${length}`
      report.error('compatibility-length', message, matter.placeOf('compatibility'))
    }
  }
  const tools = matter.data['allowed-tools']
  if (Array.isArray(tools)) {
    const message = '`allowed-tools`: expected names separated by spaces in one text, got a list'
    report.error('allowed-tools', message, matter.placeOf('allowed-tools'))
  } else expectText('allowed-tools', tools, matter, report)
  if (metadata !== undefined && metadata !== null) checkMetadata(metadata, matter, report)
}

function checkMetadata(metadata: JsonValue, matter: FrontMatter, report: FileReport): void {
  const place = matter.placeOf('metadata')
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    report.error(
      'metadata',
      `\`metadata\`: expected a mapping of text values, got ${describeType(metadata)}`,
      place,
    )
    return
  }
  for (const [key, value] of Object.entries(metadata)) {
    if (key.startsWith(RESERVED_KEYS))
      report.warning('metadata-reserved', `\`metadata\`: keys below \`${RESERVED_KEYS}\` are reserved`, place)
    if (typeof value !== 'string') {
      const message = `${quoteText(`metadata.${key}`)}: expected text, got ${describeType(value)}; clients may read it as text`
      report.warning('metadata-value', message, matter.placeOf(key))
    }
  }
}

function checkBody(folder: SkillFolder, matter: FrontMatter, report: FileReport): void {
  const lines = matter.body.split('\n').length
  if (matter.body.trim() === '')
    report.warning('body-empty', 'expected instructions after the front matter, got none')
  if (lines > MAX_BODY_LINES)
    report.warning(
      'body-long',
      `fewer than ${MAX_BODY_LINES} lines are recommended, got ${lines}; move details to files`,
    )
  else if (matter.body.length > MAX_BODY_CHARACTERS)
    report.warning('body-long', 'fewer than about 5 000 tokens are recommended; move details to files')
  for (const target of linkedFiles(matter.body)) {
    if (target.startsWith('/') || target.split('/').includes('..'))
      report.warning('link-outside', `${quoteText(target)}: links should stay inside the skill`)
    else if (!exists(folder, target))
      report.warning('link-broken', `${quoteText(target)}: no such file in the skill`)
  }
}

/** Targets of `[text](target)` that are neither addresses nor anchors. */
function linkedFiles(body: string): Set<string> {
  const targets = new Set<string>()
  for (const [, target] of body.matchAll(/\]\(([^()\s]{1,500})\)/g)) {
    const path = target!.split('#', 1)[0]!.replace(/^\.\//, '')
    if (path !== '' && !/^[a-z][a-z0-9+.-]*:/i.test(path)) targets.add(path)
  }
  return targets
}

function exists(folder: SkillFolder, target: string): boolean {
  const path = decodeQuietly(target)
  if (folder.files.has(path)) return true
  const prefix = path.endsWith('/') ? path : `${path}/`
  return [...folder.files.keys()].some(file => file.startsWith(prefix))
}

function decodeQuietly(target: string): string {
  try {
    return decodeURIComponent(target)
  } catch {
    return target // a `%` that is not an escape
  }
}

function requiredText(key: string, matter: FrontMatter, report: FileReport): string | undefined {
  const value = matter.data[key]
  if (matter.leftOut.includes(key)) return undefined // already reported as an error
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) {
    report.error(`${key}-missing`, `\`${key}\` is required and may not be empty`, matter.placeOf(key))
    return undefined
  }
  if (!expectText(key, value, matter, report)) return undefined
  return typeof value === 'string' ? value.trim() : undefined
}

/** Accepts numbers and booleans: the reader has already made them text, with a warning. */
function expectText(
  key: string,
  value: JsonValue | undefined,
  matter: FrontMatter,
  report: FileReport,
): boolean {
  if (value === undefined || value === null || typeof value === 'string') return true
  if (typeof value === 'object') {
    report.error('field-type', `\`${key}\`: expected text, got ${describeType(value)}`, matter.placeOf(key))
    return false
  }
  return true
}
