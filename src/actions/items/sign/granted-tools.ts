// Finds the tools that were granted something when they were signed, and what each of them runs with: a file
// that it imports, its runtime, the server or the settings that it names. Whoever signs one of those decides
// what is done with what the tool was granted.
import { AppError, isRecord } from '../../../base/index.ts'
import { precedenceOf } from '../../../item/index.ts'
import { findFiles, type PlanContext, settingsPaths, type VerifiedTool } from '../../../plan/index.ts'
import { createPlanContext, type OpenedItem, verifiedTool, type Workspace } from '../../../workspace/index.ts'
import { needsOfTool } from './needs-in-words.ts'
import { refOf } from './take-over.ts'

export interface GrantedTool {
  readonly ref: string
  readonly tool: VerifiedTool
  /** What it was granted, in words. */
  readonly needs: readonly string[]
}

/** A tool that asks for anything has one of these words in its text. */
const MAY_ASK = /permissions|secrets|auth|allow_private|item_resolve|resolve_cmd/

const found = new WeakMap<Workspace, Promise<readonly GrantedTool[]>>()

/** The granted tools that run with this item, or would once it is signed. */
export async function toolsThatUse(workspace: Workspace, item: OpenedItem): Promise<GrantedTool[]> {
  if (item.file.type !== 'tool' && item.file.type !== 'config') return []
  const granted = found.get(workspace) ?? findGranted(workspace)
  found.set(workspace, granted)
  const using: GrantedTool[] = []
  for (const one of await granted) if (await uses(workspace, one.tool, item)) using.push(one)
  return using
}

async function findGranted(workspace: Workspace): Promise<GrantedTool[]> {
  const granted: GrantedTool[] = []
  for (const entry of workspace.list(['tool']).items) {
    const item = entry.entry.space === 'system' ? undefined : workspace.tryRead(entry)
    if (item?.verdict.status !== 'verified' || !MAY_ASK.test(Buffer.from(item.bytes).toString('latin1')))
      continue
    const tool = await verifiedTool(item)
    const needs = needsOfTool(tool)
    if (needs.length > 0) granted.push({ ref: refOf(item), tool, needs })
  }
  return granted
}

async function uses(workspace: Workspace, tool: VerifiedTool, item: OpenedItem): Promise<boolean> {
  const { file, bytes, digest } = item
  if (tool.path === file.path) return false
  if (file.type === 'config') return settingsPaths(tool).includes(file.id)
  if (isRecord(tool.metadata.config) && tool.metadata.config.server === file.id) return true
  const verdict = { ...item.verdict, status: 'verified' as const }
  const signed = { ...(await verifiedTool(item)), verdict }
  const context = await createPlanContext(workspace, null)
  let isUsed = false
  const wouldBe: PlanContext = {
    ...context,
    async lookup(id, from) {
      if (id !== file.id || precedenceOf(file.space) < precedenceOf(from)) return context.lookup(id, from)
      isUsed = true
      return signed
    },
    siblings: {
      ...context.siblings,
      async read(path, space) {
        if (path !== file.path) return context.siblings.read(path, space)
        isUsed = true
        return { bytes, digest, verdict }
      },
    },
  }
  try {
    await findFiles(tool, wouldBe)
  } catch (thrown) {
    // Something else keeps the tool from running.
    if (!(thrown instanceof AppError)) throw thrown
  }
  return isUsed
}
