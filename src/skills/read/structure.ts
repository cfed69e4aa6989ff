// The layout of a skill folder: required and optional files, documents.
import { chooseItemFiles, itemFileExtension } from '../../extract/index.ts'
import { compareText, type FileReport } from './file-report.ts'
import type { DocsAvailable, SkillFolder, SkillStructure, StructureItem } from './records.ts'

export const SKILL_FILE = 'SKILL.md'

const MAIN = { itemFile: 'SKILL', extensions: ['.md'] } as const

/** The name of a skill's main file, which some authors write in another case. `SKILL.md` if there is none. */
export function mainFileOf({ files }: Pick<SkillFolder, 'files'>): string {
  return files.has(SKILL_FILE) ? SKILL_FILE : (chooseItemFiles(MAIN, files.keys())[0]?.name ?? SKILL_FILE)
}

/** Whether a file of this name makes its folder a skill. */
export function isMainFile(name: string): boolean {
  return itemFileExtension(MAIN, name) !== undefined
}

/** Warns about the main file's case, another one beside it, and ones further down that look like skills. */
export function reportMainFile(folder: SkillFolder, reportOn: (path: string) => FileReport): void {
  const main = mainFileOf(folder)
  if (!folder.files.has(main)) return
  if (main !== SKILL_FILE)
    reportOn(main).warning(
      'skill-md-case',
      `expected the name \`${SKILL_FILE}\`, got \`${main}\`: other clients may not find it; rename the file`,
    )
  const paths = [...folder.files.keys()].filter(path => isMainFile(nameIn(path)))
  for (const other of paths.filter(path => path !== main && !path.includes('/')))
    reportOn(other).warning(
      'skill-md-twice',
      `\`${main}\` is the skill, and this file is only a part of it: their names differ only in case`,
    )
  const [first, ...more] = paths.filter(path => path.includes('/')).sort(compareText)
  if (first === undefined) return
  const shown = more.slice(0, MOST_NESTED).map(path => `\`${path}\``)
  const rest = more.length > MOST_NESTED ? [`${more.length - MOST_NESTED} others`] : []
  const others =
    more.length > 0 ? `; so ${more.length === 1 ? 'is' : 'are'} ${[...shown, ...rest].join(', ')}` : ''
  reportOn(first).warning(
    'skill-nested',
    `part of the skill \`${folder.name}\`, not a skill of its own: it would have to be outside that folder${others}`,
  )
}

const MOST_NESTED = 10

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export const SKILL_STRUCTURE: SkillStructure = {
  required: [{ path: SKILL_FILE, description: 'what the skill is and how it is used', item_type: 'file' }],
  default: [
    { path: 'scripts/', description: 'programs and decorated functions', item_type: 'dir' },
    { path: 'templates/', description: 'files to fill in', item_type: 'dir' },
    { path: 'references/', description: 'documents to read when needed', item_type: 'dir' },
  ],
  optional: [
    { path: 'assets/', description: 'files used in the output', item_type: 'dir' },
    { path: 'extensions/', description: 'rules for hosts', item_type: 'dir' },
    { path: 'tests/', description: 'tests of the scripts', item_type: 'dir' },
    { path: 'README.md', description: 'notes for people', item_type: 'file' },
  ],
}

/** Whether a file is directly in a skill's folder and not hidden, or in one of the usual folders. */
export function isUsualPart(path: string): boolean {
  const folder = path.slice(0, path.indexOf('/') + 1)
  const { default: usual, optional } = SKILL_STRUCTURE
  if (folder === '') return !path.startsWith('.')
  return [...usual, ...optional].some(item => item.path === folder)
}

/** The required items that a folder lacks. */
export function findMissing(folder: SkillFolder): StructureItem[] {
  return SKILL_STRUCTURE.required.filter(item => !hasItem(folder, item))
}

/** The parts of the layout that a folder has. */
export function findStructure(folder: SkillFolder): SkillStructure {
  const present = (items: readonly StructureItem[]) => items.filter(item => hasItem(folder, item))
  const { required, default: usual, optional } = SKILL_STRUCTURE
  return { required: present(required), default: present(usual), optional: present(optional) }
}

function hasItem(folder: SkillFolder, { path, item_type }: StructureItem): boolean {
  if (item_type === 'file') return folder.files.has(path === SKILL_FILE ? mainFileOf(folder) : path)
  const prefix = path.endsWith('/') ? path : `${path}/`
  return [...folder.files.keys()].some(file => file.startsWith(prefix))
}

export function findDocs(folder: SkillFolder): DocsAvailable {
  const paths = [...folder.files.keys()]
  return {
    skill_md: folder.files.has(mainFileOf(folder)),
    readme: paths.some(path => /^readme(?:\.(?:md|txt|rst))?$/i.test(path)),
    tests: paths.some(path => /^(?:scripts\/)?tests?\//.test(path)),
  }
}
