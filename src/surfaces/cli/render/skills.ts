// Skills and knowledge documents of a directory: what is there, what can be called, what is wrong.
import { cell, columns, count, hangingIndent, records } from './columns.ts'
import type { Renderer } from './renderer.ts'

/** A table may have thousands of skills; `--json` lists all of them. */
const MOST_TOLD = 20

/** Canonical payloads: tools are in an object, keyed by name. */
export const renderSkillsScan: Renderer = (answer, terminal) => {
  const skills = records(answer.skills).map(skill => ({
    name: skill.skill_name,
    description: field(skill.metadata, 'description'),
    tools: Object.entries(Object(skill.skill_tools)).map(([name, entry]) => ({
      name,
      description: field(field(entry, 'tool'), 'description'),
    })),
  }))
  return [
    ...skillLines(skills, terminal),
    ...problemLines(answer.diagnostics, terminal),
    '',
    summaryOf(skills),
  ].join('\n')
}

/** Entries of the index: tools are in a list. */
export const renderSkillsIndex: Renderer = (answer, terminal) => {
  const { style } = terminal
  const skills = records(answer.skills).map(skill => ({
    name: skill.name,
    description: skill.description,
    tools: records(skill.tools),
  }))
  const written = [
    ...(answer.out === undefined ? [] : [`${style.green('✓')} written to ${cell(answer.out)}`]),
    ...(answer.lance === undefined
      ? []
      : [
          `${style.green('✓')} ${count(field(answer.lance, 'rows'), 'row')} in ${cell(field(answer.lance, 'uri'))}`,
        ]),
  ]
  return [
    ...skillLines(skills, terminal),
    ...problemLines(answer.diagnostics, terminal),
    '',
    summaryOf(skills),
    ...written,
  ].join('\n')
}

export const renderSkillsSync: Renderer = (answer, terminal) => {
  const { style } = terminal
  const marks = [
    ['added', style.green('+')],
    ['updated', style.yellow('~')],
    ['deleted', style.red('-')],
  ] as const
  const listed = (key: string) => (Array.isArray(answer[key]) ? (answer[key] as unknown[]) : [])
  const problems = records(answer.diagnostics)
  const errors = problems.filter(({ severity }) => severity === 'error')
  const others = problems.filter(({ severity }) => severity !== 'error')
  return [
    ...marks.flatMap(([key, mark]) => firstOf(listed(key), id => `${mark} ${cell(id)}`, terminal)),
    ...firstOf([...errors, ...others], found => problemLine(found, terminal), terminal),
    [
      ...marks.map(([key]) => `${listed(key).length} ${key}`),
      `${cell(answer.unchanged_count)} unchanged`,
    ].join(', '),
  ].join('\n')
}

function firstOf<Value>(
  values: readonly Value[],
  show: (value: Value) => string,
  { style }: Parameters<Renderer>[1],
): string[] {
  const lines = values.slice(0, MOST_TOLD).map(show)
  return values.length > MOST_TOLD
    ? [...lines, style.dim(`and ${values.length - MOST_TOLD} more: --json`)]
    : lines
}

export const renderSkillsSearch: Renderer = (answer, terminal) => {
  const { style } = terminal
  const results = records(answer.results)
  if (results.length === 0) return 'nothing found'
  return [
    ...(answer.warning === undefined ? [] : [style.yellow(`warning: ${cell(answer.warning)}`), '']),
    ...results.flatMap(result => [
      `${style.bold(cell(result.id))}  ${style.dim(`${Number(result.score).toFixed(2)} ${cell(result.confidence)}`)}`,
      hangingIndent('  ', cell(result.description).slice(0, 160), terminal.columns),
    ]),
    '',
    style.dim(`${results.length} found`),
  ].join('\n')
}

export const renderSkillsValidate: Renderer = (answer, terminal) => {
  const { style } = terminal
  const skills = records(answer.skills)
  const verdicts = ['loads', 'conforms', 'served'] as const
  const mark = (verdict: unknown) => (field(verdict, 'ok') === true ? style.green('✓') : style.red('✗'))
  const many = (name: string, one: string, others: string) => {
    const amount = field(answer.summary, name)
    return `${cell(amount)} ${amount === 1 ? one : others}`
  }
  return [
    ...skills.flatMap(skill => [
      `${style.bold(cell(skill.name))}  ${verdicts.map(name => `${mark(skill[name])} ${name}`).join('  ')}  ${style.dim(cell(skill.path))}`,
      ...(['loads', 'served'] as const).flatMap(name =>
        unmet(name, skill[name]).map(line => style.red(line)),
      ),
      ...records(skill.errors).map(error => `    ${style.red(placed(error))}`),
      ...records(skill.warnings).map(warning => `    ${style.yellow(placed(warning))}`),
    ]),
    ...problemLines(answer.diagnostics, terminal),
    '',
    `${count(skills.length, 'skill')}: ${[many('load', 'loads', 'load'), many('conform', 'conforms', 'conform'), many('served', 'is served', 'are served')].join(', ')}`,
  ].join('\n')
}

/**
 * Why a skill does not load, or is not served. Problems of conformance are listed separately, with their
 * places.
 */
function unmet(name: string, verdict: unknown): string[] {
  const reasons = field(verdict, 'reasons')
  return Array.isArray(reasons)
    ? reasons.map(reason => `    not ${name === 'loads' ? 'loaded' : name}: ${cell(reason)}`)
    : []
}

export const renderSkillsInstall: Renderer = (answer, terminal) => {
  const { style } = terminal
  if (answer.skills === undefined) return installed(answer, answer.to, style)
  return [
    ...records(answer.skills).map(skill => installed(skill, answer.to, style)),
    ...failedLines(answer.failed, style),
  ].join('\n')
}

function failedLines(failed: unknown, style: Parameters<Renderer>[1]['style']): string[] {
  return records(failed).flatMap(one => [
    `${style.red('✗')} skill:${cell(one.item_id)}: ${cell(one.error)}`,
    ...(one.hint === undefined ? [] : [`  hint: ${cell(one.hint)}`]),
  ])
}

function installed(
  answer: Readonly<Record<string, unknown>>,
  client: unknown,
  style: Parameters<Renderer>[1]['style'],
): string {
  const what = answer.linked === true ? 'a link' : count(answer.files, 'file')
  const instead = answer.replaced === undefined ? '' : `, in place of a ${cell(answer.replaced)}`
  return `${style.green('✓')} ${cell(answer.status)}: ${style.bold(`skill:${cell(answer.item_id)}`)} for ${cell(client)}, ${what} in ${cell(answer.path)}${instead}`
}

export const renderSkillsList: Renderer = (answer, terminal) => {
  const { style } = terminal
  const skills = records(answer.skills)
  const rows = skills.map(skill => [
    style.bold(cell(skill.name)),
    skill.remark === undefined ? cell(skill.state) : `${cell(skill.state)}, ${cell(skill.remark)}`,
    cell(skill.space),
    Array.isArray(skill.clients) ? skill.clients.map(cell).join(', ') : '',
  ])
  return [
    ...columns(rows, terminal.columns),
    ...records(answer.unreadable).map(one => `${style.yellow('!')} ${cell(one.error)}; ${cell(one.hint)}`),
    ...(rows.length > 0 ? [''] : []),
    count(skills.length, 'skill'),
  ].join('\n')
}

export const renderSkillsSniff: Renderer = (answer, terminal) => {
  const { style } = terminal
  const skills = records(answer.skills)
  const rows = skills.map(skill => [
    style.bold(cell(skill.item_id)),
    cell(skill.space),
    style.dim(
      records(skill.matches)
        .map(match => cell(match.path))
        .join(', '),
    ),
  ])
  const end = skills.length === 0 ? 'no skill has rules that fit this project' : count(skills.length, 'skill')
  const problems = problemLines(answer.diagnostics, terminal)
  const lines = [...columns(rows, terminal.columns), ...problems]
  return [...lines, ...(lines.length > 0 ? [''] : []), end].join('\n')
}

export const renderSkillsRemove: Renderer = (answer, { style }) => {
  const removed = answer.skills === undefined ? [answer] : records(answer.skills)
  const names = (value: unknown) => (Array.isArray(value) ? value.map(cell) : [])
  const others = names(answer.shared_with)
  const kept = names(answer.kept)
  return [
    ...removed.map(one => {
      const what = one.linked === true ? 'a link' : count(one.files, 'file')
      return `${style.green('✓')} removed ${what}: ${cell(one.path)}`
    }),
    ...failedLines(answer.failed, style),
    ...(kept.length === 0 ? [] : [`left alone, because rye did not install it: ${someOf(kept)}`]),
    ...(others.length === 0 ? [] : [`gone as well for ${someOf(others)}: they read the same folder`]),
  ].join('\n')
}

const MOST_NAMED = 8

function someOf(names: readonly string[]): string {
  const more = names.length - MOST_NAMED
  return names.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

export const renderKnowledgeScan: Renderer = (answer, terminal) => {
  const { style } = terminal
  const entries = records(answer.entries)
  const rows = entries.map(entry => [
    style.bold(cell(entry.title)),
    cell(entry.category),
    style.dim(cell(entry.file_path)),
    style.dim(cell(entry.description)),
  ])
  return [
    ...columns(rows, terminal.columns),
    ...problemLines(answer.diagnostics, terminal),
    '',
    count(entries.length, 'document'),
  ].join('\n')
}

interface ShownSkill {
  readonly name: unknown
  readonly description: unknown
  readonly tools: readonly Readonly<Record<string, unknown>>[]
}

function skillLines(
  skills: readonly ShownSkill[],
  { style, columns: width }: Parameters<Renderer>[1],
): string[] {
  return skills.flatMap(({ name, description, tools }) => [
    ...columns([[style.bold(cell(name)), style.dim(cell(description))]], width),
    ...columns(
      tools.map(tool => [`  ${cell(tool.name)}`, style.dim(cell(tool.description))]),
      width,
    ),
  ])
}

function summaryOf(skills: readonly ShownSkill[]): string {
  const tools = skills.reduce((total, skill) => total + skill.tools.length, 0)
  return `${count(skills.length, 'skill')}, ${count(tools, 'tool')}`
}

function problemLines(diagnostics: unknown, terminal: Parameters<Renderer>[1]): string[] {
  return records(diagnostics).map(found => problemLine(found, terminal))
}

function problemLine(found: Readonly<Record<string, unknown>>, { style }: Parameters<Renderer>[1]): string {
  const line = `${cell(found.path)}:${placed(found)}`
  return found.severity === 'error' ? style.red(`✗ ${line}`) : style.yellow(`! ${line}`)
}

function placed(found: Readonly<Record<string, unknown>>): string {
  const place = [found.line, found.column].map(cell).filter(Boolean).join(':')
  return `${place}${place && ' '}${cell(found.message)}`
}

function field(value: unknown, name: string): unknown {
  return records([value])[0]?.[name]
}
