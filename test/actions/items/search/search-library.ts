// A small library, and what a search of it finds.
import { type Answer, directive, knowledge, type Scratch, skill, tool } from '../../../workspace/scratch.ts'

export function ids(answer: Answer): string[] {
  return answer.results.map((result: Answer) => result.id)
}

/** A library without the system's items in the way. */
export async function found(made: Scratch, query: string, input: object = {}): Promise<string[]> {
  return ids(await made.run('search', { query, source: 'project', ...input }))
}

/** Searches as an agent does: again, while the answer says that the index is still being built. */
export async function searchAsAgent(made: Scratch, input: object): Promise<Answer> {
  for (;;) {
    const answer = await made.run('search', input, 'agent')
    if (!String(answer.warning).includes('still being built')) return answer
  }
}

export const SHIP = {
  '.ai/tools/ops/deploy.py': tool('ops/deploy', {
    description: 'Deploy the service to a cluster',
    version: '2.1.0',
  }),
  '.ai/knowledge/ops/rollback.md': knowledge('ops/rollback', {
    title: 'Rolling back',
    description: 'Undo a bad deploy',
    extra: 'tags: [release, urgent]\nauthor: ada\ncreated_at: 2024-05-06',
    body: 'Start the previous image. Then move the traffic to it, slowly.',
  }),
  '.ai/knowledge/kitchen/bread.md': knowledge('kitchen/bread', {
    description: 'Baking bread',
    extra: 'tags: [food]\nauthor: bob\ncreated_at: 2023-01-02',
    body: 'Flour, water, salt and patience.',
  }),
  '.ai/directives/ops/ship_it.md': directive('ops/ship_it', { description: 'Ship a release' }),
  '.ai/skills/pdf/SKILL.md': skill('pdf', 'Fill forms in documents'),
}
