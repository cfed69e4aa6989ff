import { cell, columns, records } from './columns.ts'
import type { Renderer } from './renderer.ts'
import { warningLines } from './warnings.ts'

export const renderInit: Renderer = (answer, terminal) => {
  const { style } = terminal
  const project = cell(answer.project_path)
  const created = Array.isArray(answer.created) ? answer.created : []
  const clients = records(answer.clients)
  const next = Array.isArray(answer.next) ? answer.next : []
  return [
    `${style.green('✓')} project ${project}`,
    ...created.map(path => `${style.green('+')} ${below(project, cell(path))}`),
    ...(clients.length > 1 ? connections(clients, terminal) : []),
    '',
    style.bold('next'),
    ...next.map(line => `  ${cell(line)}`),
  ].join('\n')
}

/** How to connect each client, and what to tell a client that we do not know. */
function connections(
  clients: readonly Readonly<Record<string, unknown>>[],
  { style, columns: width }: Parameters<Renderer>[1],
): string[] {
  const rows = clients.map(({ client, file }) => [
    `  rye init --client ${cell(client)}`,
    style.dim(cell(file)),
  ])
  return [
    '',
    style.bold('connect your agent'),
    ...columns(rows, width),
    '',
    style.bold('or paste this into the settings of another'),
    ...String(clients[0]?.snippet)
      .trimEnd()
      .split('\n')
      .map(line => `  ${line}`),
  ]
}

function below(folder: string, path: string): string {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path
}

export const renderNew: Renderer = (answer, terminal) => {
  const { style } = terminal
  const next = Array.isArray(answer.next) ? answer.next : []
  const signed = answer.signed ? 'created and signed' : 'created, not signed yet'
  return [
    `${style.green('✓')} ${signed}: ${style.bold(`${cell(answer.item_type)}:${cell(answer.item_id)}`)}`,
    ...warningLines(answer.warnings, style),
    ...next.map(line => `  ${cell(line)}`),
  ].join('\n')
}
