// Items from elsewhere: what was found, what to look at, what was taken.
import type { Style, Terminal } from '../terminal.ts'
import { cell, columns, count, records } from './columns.ts'
import type { Renderer } from './renderer.ts'

type Answer = Readonly<Record<string, unknown>>

export const renderAdd: Renderer = (answer, terminal) => {
  const { style } = terminal
  const head = `${style.bold(cell(answer.source))}  ${style.dim(cell(answer.resolved))}`
  const rest = [
    ...records(answer.left).map(
      ({ path, reason }) => `${style.yellow('!')} ${cell(path)} was left out: ${cell(reason)}`,
    ),
    ...records(answer.others).map(({ kind, name, command }) =>
      style.dim(`${cell(kind)} ${cell(name)}: ${cell(command)}`),
    ),
  ]
  if (answer.status === 'listed') {
    const rows = records(answer.items).map(({ item, description }) => [
      cell(item),
      style.dim(cell(description)),
    ])
    return [head, ...columns(rows, terminal.columns), ...rest, style.dim(count(rows.length, 'item'))].join(
      '\n',
    )
  }
  return [
    head,
    ...records(answer.items).flatMap(item => itemLines(item, style)),
    ...rest,
    '',
    cell(answer.message),
  ].join('\n')
}

export const renderUpdate: Renderer = (answer, { style }) =>
  [
    ...records(answer.sources).flatMap(source => [
      `${style.bold(cell(source.source))}  ${style.dim(`${short(source.locked)} -> ${short(source.resolved ?? source.locked)}`)}`,
      ...(source.error ? [`${style.red('x')} ${cell(source.error)}`] : []),
      ...(source.warning ? [`${style.yellow('!')} ${cell(source.warning)}`] : []),
      ...records(source.items).flatMap(item => itemLines(item, style)),
      ...texts(source.gone).map(name => `${style.yellow('!')} ${cell(name)} is no longer in the source`),
      ...(records(source.items).some(({ state }) => state === 'open')
        ? [style.dim(`to accept exactly this: ${cell(source.accept_command)}`)]
        : []),
      ...(texts(source.others).length > 0
        ? [
            style.dim(
              `it also has ${texts(source.others).map(cell).join(', ')}: rye add ${cell(source.source)}`,
            ),
          ]
        : []),
    ]),
    cell(answer.message),
  ].join('\n')

export const renderInstall: Renderer = (answer, { style }) =>
  [
    ...texts(answer.written).map(item => `${style.green('+')} ${cell(item)}`),
    ...texts(answer.removed).map(item => `${style.red('-')} ${cell(item)} is no longer in the lock`),
    ...texts(answer.edited).map(item => `${style.yellow('!')} ${cell(item)} was changed here`),
    ...records(answer.untrusted).map(
      ({ item, reason, owner }) =>
        `${style.yellow('!')} ${cell(item)}: ${cell(reason)}${owner ? `, which the project offers as ${cell(owner)}'s` : ''}`,
    ),
    `${count(texts(answer.written).length, 'item')} written, ${cell(answer.unchanged)} in place`,
    cell(answer.message),
  ].join('\n')

export const renderOutdated: Renderer = (answer, terminal) => {
  const rows = records(answer.sources).map(({ source, locked, newest, state, error }) => [
    state === 'current' ? terminal.style.green('✓') : terminal.style.yellow('!'),
    cell(source),
    short(locked),
    state === 'outdated' ? `-> ${short(newest)}` : cell(error),
  ])
  const behind = records(answer.sources).flatMap(source => texts(source.behind).map(cell))
  return [
    ...columns(rows, terminal.columns),
    ...(behind.length > 0 ? [`left at an older state, see \`rye update\`: ${behind.join(', ')}`] : []),
    `${cell(answer.outdated)} of ${count(rows.length, 'source')} moved on`,
  ].join('\n')
}

export const renderRemove: Renderer = (answer, { style }) =>
  [
    ...texts(answer.removed).map(item => `${style.red('-')} ${cell(item)}`),
    ...texts(answer.kept).map(item => `${style.yellow('!')} ${cell(item)} was changed here, and stays`),
    cell(answer.message),
  ].join('\n')

export const renderWhy: Renderer = answer => cell(answer.message)

export const renderReview: Renderer = (answer, { style }) =>
  [
    `${style.bold(cell(answer.item))}  ${style.dim(cell(answer.path))}`,
    ...seenLines(answer, style),
    cell(answer.message),
  ].join('\n')

const MARKS: Readonly<Record<string, (style: Style) => string>> = {
  taken: style => style.green('+'),
  unchanged: style => style.dim('='),
  open: style => style.yellow('?'),
  edited: style => style.yellow('!'),
  merged: style => style.yellow('!'),
  apart: style => style.yellow('!'),
}
const NOTES: Readonly<Record<string, string>> = {
  edited: ' was changed here, and stays as it is',
  merged: ' was merged with what was changed here',
  apart: ' was changed here in the same lines, and stays as it is',
}

function itemLines(item: Answer, style: Terminal['style']): string[] {
  const mark = MARKS[cell(item.state)]?.(style) ?? ' '
  const note = NOTES[cell(item.state)] ?? ''
  const by = item.signer ? style.dim(` signed by ${cell(item.signer)}`) : ''
  const line = `${mark} ${cell(item.item)}${note}${by}  ${style.dim(cell(item.description))}`.trimEnd()
  return item.state === 'open' ? [line, ...seenLines(item, style)] : [line]
}

function seenLines({ seen }: Answer, style: Style): string[] {
  return texts(seen).map(line => {
    const text = `    ${cell(line)}`
    if (/^\s*!/.test(String(line))) return style.red(text)
    return /^\s+\+/.test(String(line)) ? style.green(text) : text
  })
}

function texts(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function short(state: unknown): string {
  const text = cell(state)
  return /^[0-9a-f]{40}$/.test(text) ? text.slice(0, 12) : text.slice(0, 19)
}
