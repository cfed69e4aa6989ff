// Turns an answer into text for a person. An action without a renderer of its own is shown as indented JSON.
import { isRecord, printVisibleJson } from '../../../base/index.ts'
import type { Terminal } from '../terminal.ts'
import { renderCatalogueSearch, renderCatalogueStatus, renderCatalogueSync } from './catalogue.ts'
import { renderEdit, renderMv, renderRm } from './change.ts'
import { fold } from './columns.ts'
import { renderDoctor } from './doctor.ts'
import { renderExecute } from './execute.ts'
import { renderInit, renderNew } from './init.ts'
import { renderList, renderLoad, renderParse, renderShow } from './items.ts'
import { renderExport, renderKeys } from './keys.ts'
import { renderEval, renderIndex } from './measures.ts'
import {
  renderRegistryPublish,
  renderRegistryPull,
  renderRegistrySearch,
  renderRegistryShow,
  renderRegistryUnpublish,
} from './registry.ts'
import type { Renderer } from './renderer.ts'
import { renderRuns } from './runs.ts'
import { renderSearch } from './search.ts'
import {
  renderMcpAdd,
  renderMcpGrant,
  renderMcpGrants,
  renderMcpList,
  renderMcpRefresh,
  renderMcpRemove,
  renderMcpRevoke,
} from './servers.ts'
import {
  renderKnowledgeScan,
  renderSkillsIndex,
  renderSkillsInstall,
  renderSkillsList,
  renderSkillsRemove,
  renderSkillsScan,
  renderSkillsSearch,
  renderSkillsSniff,
  renderSkillsSync,
  renderSkillsValidate,
} from './skills.ts'
import {
  renderAdd,
  renderInstall,
  renderOutdated,
  renderRemove,
  renderReview,
  renderUpdate,
  renderWhy,
} from './sources.ts'
import { renderMerge, renderSign, renderVerify } from './trust.ts'

const RENDERERS: Readonly<Record<string, Renderer>> = {
  search: renderSearch,
  fetch: (answer, terminal) => ('results' in answer ? renderSearch : renderLoad)(answer, terminal),
  load: renderLoad,
  execute: renderExecute,
  sign: renderSign,
  verify: renderVerify,
  merge: renderMerge,
  parse: renderParse,
  list: renderList,
  show: renderShow,
  init: renderInit,
  new: renderNew,
  edit: renderEdit,
  mv: renderMv,
  rm: renderRm,
  doctor: renderDoctor,
  runs: renderRuns,
  index: renderIndex,
  eval: renderEval,
  add: renderAdd,
  install: renderInstall,
  outdated: renderOutdated,
  update: renderUpdate,
  remove: renderRemove,
  why: renderWhy,
  review: renderReview,
  'registry search': renderRegistrySearch,
  'registry show': renderRegistryShow,
  'registry pull': renderRegistryPull,
  'registry publish': renderRegistryPublish,
  'registry unpublish': renderRegistryUnpublish,
  'keys generate': renderKeys,
  'keys show': renderKeys,
  'keys list': renderKeys,
  'keys trust': renderKeys,
  'keys offer': renderKeys,
  'keys export': renderExport,
  'keys rotate': renderKeys,
  'keys revoke': renderKeys,
  'keys remove': renderKeys,
  'mcp add': renderMcpAdd,
  'mcp list': renderMcpList,
  'mcp refresh': renderMcpRefresh,
  'mcp remove': renderMcpRemove,
  'mcp grant': renderMcpGrant,
  'mcp grants': renderMcpGrants,
  'mcp revoke': renderMcpRevoke,
  'skills scan': renderSkillsScan,
  'skills index': renderSkillsIndex,
  'skills sync': renderSkillsSync,
  'skills search': renderSkillsSearch,
  'skills validate': renderSkillsValidate,
  'skills install': renderSkillsInstall,
  'skills list': renderSkillsList,
  'skills remove': renderSkillsRemove,
  'skills sniff': renderSkillsSniff,
  'catalogue sync': renderCatalogueSync,
  'catalogue search': renderCatalogueSearch,
  'catalogue status': renderCatalogueStatus,
  'knowledge scan': renderKnowledgeScan,
}

/**
 * Not wrapped: these show texts of others, which stay as they are, or decide themselves where a line ends.
 */
const VERBATIM: ReadonlySet<string> = new Set([
  ...['load', 'fetch', 'execute', 'show', 'edit', 'parse', 'doctor', 'keys export', 'mcp refresh'],
])

export function renderAnswer(name: string, answer: object, terminal: Terminal): string {
  const renderer = Object.hasOwn(RENDERERS, name) ? RENDERERS[name] : undefined
  if (!renderer || !isRecord(answer)) return printVisibleJson(answer)
  const text = renderer(answer, terminal)
  if (VERBATIM.has(name)) return text
  return text
    .split('\n')
    .map(line => fold(line, terminal.columns))
    .join('\n')
}
