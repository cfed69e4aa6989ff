// The Lance table of an action, with the user's embeddings when there are any.
import { openSkillTable } from '../store/index.ts'
import { userEmbedder } from '../workspace/index.ts'
import type { ActionContext } from './action.ts'

export async function openSkills({ library }: ActionContext, uri: string) {
  const embedder = await userEmbedder(library)
  return openSkillTable({ uri, ...(embedder && { embedder }) })
}
