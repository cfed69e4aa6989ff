import { isRecord } from '../../../base/index.ts'
import { cell } from './columns.ts'
import type { Renderer } from './renderer.ts'

export const renderInit: Renderer = (answer, terminal) => {
  const { style } = terminal
  const created = Array.isArray(answer.created) ? answer.created : []
  const clients = Array.isArray(answer.clients) ? answer.clients.filter(isRecord) : []
  const next = Array.isArray(answer.next) ? answer.next : []
  return [
    ...created.map(path => `${style.green('+')} ${cell(path)}`),
    ...clients.flatMap(client => [
      '',
      `${style.bold(cell(client.name))}  ${style.dim(cell(client.file))}`,
      String(client.snippet).trimEnd(),
    ]),
    '',
    style.bold('next'),
    ...next.map(line => `  ${cell(line)}`),
  ].join('\n')
}

export const renderNew: Renderer = (answer, terminal) => {
  const { style } = terminal
  const next = Array.isArray(answer.next) ? answer.next : []
  const signed = answer.signed ? 'created and signed' : 'created, not signed yet'
  return [
    `${style.green('✓')} ${signed}: ${style.bold(`${cell(answer.item_type)}:${cell(answer.item_id)}`)}`,
    ...next.map(line => `  ${cell(line)}`),
  ].join('\n')
}
