import { rmSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { LiveIndex } from '../../../../src/workspace/live-index.ts'
import { type Answer, knowledge, type Scratch, scratch, skill, tool } from '../../../workspace/scratch.ts'
import { SHIP } from './search-library.ts'

describe('an answer of search', () => {
  it('that found nothing in an index that is still being built says to ask again, and nothing of what there is', async () => {
    const made = await scratch(SHIP)
    const refresh = vi.spyOn(LiveIndex.prototype, 'refresh').mockReturnValue(new Promise(() => {}))
    onTestFinished(() => refresh.mockRestore())
    expect(await made.run('search', { query: 'deploy', source: 'project' }, 'agent')).toMatchObject({
      results: [],
      warning: 'the index is still being built: some items may be missing',
      hint: 'search again in a moment',
    })
  })

  it('has every field of the contract', async () => {
    const made = await scratch(SHIP)
    await made.sign('tool:ops/deploy')
    const answer = await made.run('search', { query: 'deploy cluster', source: 'project' })
    expect(Object.keys(answer)).toEqual([
      'results',
      'total',
      'query',
      'scope',
      'space',
      'limit',
      'offset',
      'search_type',
    ])
    expect(answer).toMatchObject({
      total: 2,
      query: 'deploy cluster',
      scope: 'all',
      space: 'project',
      limit: 10,
      offset: 0,
      search_type: 'hybrid',
    })
    const [first, second] = answer.results
    expect(Object.keys(first)).toEqual([
      'id',
      'name',
      'title',
      'description',
      'category',
      'score',
      'type',
      'source',
      'preview',
      'signed',
      'trust',
      'score_parts',
      'matched',
    ])
    expect(first).toMatchObject({
      id: 'ops/deploy',
      name: 'deploy',
      title: 'deploy',
      description: 'Deploy the service to a cluster',
      category: 'ops',
      type: 'tool',
      source: 'project',
      signed: true,
      trust: { status: 'verified', format: 'v2', coverage: 'full' },
      matched: { description: ['deploy', 'cluster'] },
    })
    expect(second).toMatchObject({
      id: 'ops/rollback',
      partial: true,
      signed: false,
      trust: { status: 'unsigned' },
    })
    for (const { score, score_parts } of [first, second]) {
      expect(score_parts.words + score_parts.meaning).toBeCloseTo(score, 8)
      expect(Math.min(score_parts.words, score_parts.meaning)).toBeGreaterThanOrEqual(0)
      expect(score).toBeGreaterThan(0)
      expect(score).toBeLessThanOrEqual(1)
      expect(Math.round(score * 10_000) / 10_000).toBe(score)
    }
  })

  it('says what shadows what', async () => {
    const made = await scratch({
      '.ai/tools/deploy.py': tool('deploy'),
      'user:.ai/tools/deploy.py': tool('deploy'),
      '.ai/tools/rye/core/primitives/mcp.yaml': 'version: "1.0.0"\ndescription: deploy\n',
    })
    const { results } = await made.run('search', { query: 'deploy', item_type: 'tool' })
    const shown = results.map(({ id, source, shadows, shadowed_by }: Answer) => ({
      id,
      source,
      shadows,
      shadowed_by,
    }))
    expect(shown).toContainEqual({ id: 'deploy', source: 'project', shadows: [{ space: 'user' }] })
    expect(shown).toContainEqual({ id: 'deploy', source: 'user', shadowed_by: 'project' })
    expect(shown).toContainEqual({
      id: 'rye/core/primitives/mcp',
      source: 'project',
      shadows: [{ space: 'system' }],
    })
    expect(results[0].score).toBe(results[1].score)
  })

  it('previews the text around the match: no signature, no metadata, nothing hidden', async () => {
    const made = await scratch({
      '.ai/knowledge/notes.md': knowledge('notes', {
        body: `${'filler '.repeat(200)}the needle\u202e\u200b is\u0007 here ${'more '.repeat(200)}`,
      }),
    })
    await made.sign('notes')
    const { results } = await made.run('search', { query: 'needle', source: 'project' })
    const { preview } = results[0]
    expect(preview).toContain('needle\\u{202e}\\u{200b} is\\u{7} here')
    expect(preview).not.toMatch(/rye:signed|entry_type|version:/)
    expect(preview.length).toBeLessThan(600)
    const start = await made.run('search', { query: 'filler', source: 'project' })
    expect(start.results[0].preview).toMatch(/^filler/)
  })

  it('has no character that nobody sees in any of its texts, whatever items and questions hold', async () => {
    const unseen = '\u034f\u17b4\u2065\u2800\u3164\ufe0f\ufff0\u{e0110}\u{e0159}\u{e01f0}\u200d\u00ad'
    const made = await scratch({
      '.ai/knowledge/notes.md': knowledge('notes', {
        title: `wombat${unseen}`,
        description: `wombat${unseen}s`,
        body: [...unseen].map(character => `wombat${character}x wom${character}bat`).join('\n'),
        extra: `tags: [${JSON.stringify(`wombat${unseen}`)}]`,
      }),
    })
    await made.sign('notes')
    for (const query of [
      'wombat*',
      `wombat${unseen}`,
      `"wom${unseen}bat"`,
      `wombatt${unseen}y`,
      `wombat${unseen}*`,
      'wombatx',
    ]) {
      const answer = await made.run('search', {
        query,
        source: 'project',
        fuzzy: query.endsWith('*') ? undefined : 1,
      })
      expect(JSON.stringify(answer), query).not.toMatch(/[\p{Default_Ignorable_Code_Point}\u2800]/u)
    }
  })

  it('previews nothing of an item that could not be loaded', async () => {
    const files = { '.ai/knowledge/notes.md': knowledge('notes', { body: 'the needle in its haystack' }) }
    const previewOf = async (made: Scratch) =>
      (await made.run('search', { query: 'needle' })).results[0].preview
    const made = await scratch(files)
    expect(await previewOf(made)).toBe('')
    await made.sign('notes')
    expect(await previewOf(made)).toContain('needle in its haystack')
    made.write('.ai/knowledge/notes.md', `${made.read('.ai/knowledge/notes.md')} and more`)
    expect(await previewOf(made)).toBe('')

    const signed = await scratch(files)
    await signed.sign('notes')
    const { keys } = await signed.run('keys list')
    await signed.run('keys remove', { fingerprint: keys[0].fingerprint })
    expect(await previewOf(signed)).toBe('')
  })

  it('previews what its author works on in development mode, and nothing else', async () => {
    const made = await scratch(
      {
        '.ai/knowledge/mine.md': knowledge('mine', { body: 'the needle in its haystack' }),
        '.ai/knowledge/changed.md': knowledge('changed', { body: 'the needle as it was' }),
        'user:.ai/knowledge/theirs.md': knowledge('theirs', { body: 'the needle of another' }),
      },
      { environment: { RYE_DEV_MODE: '1' } },
    )
    await made.sign('changed')
    made.write('.ai/knowledge/changed.md', `${made.read('.ai/knowledge/changed.md')} and more`)
    const { results } = await made.run('search', { query: 'needle', sort_by: 'name' })
    expect(results.map(({ id, preview }: Answer) => [id, preview])).toEqual([
      ['changed', 'the needle as it was and more'],
      ['mine', 'the needle in its haystack'],
      ['theirs', ''],
    ])
  })

  it.each(['tampered', 'untrusted'])('says that an item is %s', async status => {
    const made = await scratch({ '.ai/knowledge/notes.md': knowledge('notes') })
    await made.sign('notes')
    expect((await made.run('search', { query: 'notes' })).results[0].trust.status).toBe('verified')
    if (status === 'tampered') made.write('.ai/knowledge/notes.md', `${made.read('.ai/knowledge/notes.md')}!`)
    else {
      const { keys } = await made.run('keys list')
      await made.run('keys remove', { fingerprint: keys[0].fingerprint })
    }
    const { results } = await made.run('search', { query: 'notes' })
    expect(results[0]).toMatchObject({ signed: true, trust: { status } })
  })

  it('sees a part of a skill and a detached signature change', async () => {
    const made = await scratch({
      '.ai/skills/pdf/SKILL.md': skill('pdf'),
      '.ai/skills/pdf/scripts/fill.py': 'print(1)\n',
      '.ai/tools/call.json': JSON.stringify({
        version: '1.0.0',
        tool_type: 'http',
        executor_id: 'rye/core/runtimes/http/http',
        category: '',
        description: 'calls pdf',
      }),
    })
    await made.sign('*')
    const verdicts = async () => {
      const { results } = await made.run('search', { query: 'pdf', source: 'project', sort_by: 'name' })
      return results.map((result: Answer) => [result.id, result.trust.status])
    }
    expect(await verdicts()).toEqual([
      ['call', 'verified'],
      ['pdf', 'verified'],
    ])
    made.write('.ai/skills/pdf/scripts/fill.py', 'print(2)\n')
    rmSync(made.path('.ai/tools/call.json.sig'))
    expect(await verdicts()).toEqual([
      ['call', 'unsigned'],
      ['pdf', 'tampered'],
    ])
  })
})
