// Bundles of a registry: what was found, what a bundle holds, and what was written or sent.
import { cell, count, hangingIndent, records } from './columns.ts'
import type { Renderer } from './renderer.ts'

export const renderRegistrySearch: Renderer = (answer, terminal) => {
  const { style } = terminal
  const bundles = records(answer.bundles)
  if (bundles.length === 0) return `no bundle found in ${cell(answer.registry)}`
  return [
    ...bundles.flatMap(bundle => [
      `${style.bold(cell(bundle.package))}  ${style.dim(cell(bundle.version))}`,
      ...(bundle.description ? [hangingIndent('  ', cell(bundle.description), terminal.columns)] : []),
    ]),
    '',
    style.dim(`${count(bundles.length, 'bundle')} in ${cell(answer.registry)}`),
  ].join('\n')
}

export const renderRegistryShow: Renderer = (answer, { style }) => {
  const tags = Object.entries(Object(answer.tags)).map(([tag, version]) => `${cell(tag)} ${cell(version)}`)
  const mark = (trust: unknown) =>
    trust === 'verified' ? style.green('✓ verified') : style.yellow(`! ${cell(trust)}`)
  return [
    `${style.bold(`${cell(answer.package)}@${cell(answer.version)}`)}  ${style.dim(tags.join(', '))}`,
    ...(answer.description ? [cell(answer.description)] : []),
    '',
    ...records(answer.items).map(({ item, signed_by, trust }) =>
      `${cell(item)}  ${mark(trust)} ${style.dim(signed_by ? `signed by ${cell(signed_by)}` : '')}`.trimEnd(),
    ),
    '',
    style.dim(`${count(records(answer.files).length, 'file')}, ${cell(answer.integrity)}`),
  ].join('\n')
}

export const renderRegistryPull: Renderer = (answer, { style }) => {
  const paths = (key: string) => (Array.isArray(answer[key]) ? (answer[key] as unknown[]) : [])
  const verb = answer.dry_run ? 'would be written' : 'written'
  return [
    ...paths('written').map(path => `${style.green('+')} ${cell(path)}`),
    ...paths('left_over').map(path => `${style.yellow('!')} ${cell(path)} is not in the bundle`),
    `${cell(answer.package)}@${cell(answer.version)}: ${count(paths('written').length, 'file')} ${verb}, ${paths('unchanged').length} unchanged`,
    ...(answer.dry_run ? [] : [style.dim(cell(answer.note))]),
  ].join('\n')
}

export const renderRegistryPublish: Renderer = (answer, { style }) => {
  const files = [...records(answer.generated), ...records(answer.files)]
  const digits = Math.max(8, ...files.map(({ size }) => String(size).length))
  const done = answer.dry_run ? 'would be published' : `${style.green('✓')} published`
  return [
    ...files.map(({ path, size }) => `${String(size).padStart(digits)}  ${cell(path)}`),
    '',
    `${done}: ${cell(answer.package)}@${cell(answer.version)}, ${cell(answer.size)} bytes, to ${cell(answer.registry)}`,
    style.dim(cell(answer.integrity)),
    ...(answer.note ? [style.dim(cell(answer.note))] : []),
  ].join('\n')
}

export const renderRegistryUnpublish: Renderer = (answer, { style }) =>
  `${style.green('✓')} unpublished: ${cell(answer.package)}@${cell(answer.version)} from ${cell(answer.registry)}`
