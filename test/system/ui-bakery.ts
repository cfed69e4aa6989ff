// A bakery's project for the tests of the page: tools, a skill in two spaces, an item changed after signing,
// and one that was never signed.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserDocument } from './browser-names.ts'
import { note, openUiScene, type UiScene, useScene } from './ui-scene.ts'

declare const document: BrowserDocument

interface Bakery extends UiScene {
  /** Shows a page, and waits until all its requests are done. */
  show(path: string): Promise<void>
}

const tool = (id: string, schema: string, body: string, more = '') => `__version__ = "1.0.0"
__tool_type__ = "python"
__executor_id__ = "rye/core/runtimes/python/function"
__category__ = "${id.slice(0, id.lastIndexOf('/'))}"
__tool_description__ = "Bakes bread of ${id}"
${more}
CONFIG_SCHEMA = ${schema}


def execute(params, project_path):
${body}
`
const SCHEMA = `{"type": "object", "required": ["loaves"], "properties": {"loaves": {"type": "integer"}, "kind": {"type": "string", "enum": ["rye", "spelt"]}}}`
const ENDLESS = `    import os, sys, time
    open(os.path.join(project_path, "started"), "w").close()
    for step in range(10_000):
        print('{"progress": %d, "total": 10000}' % step, file=sys.stderr, flush=True)
        print("loaf %d" % step)
        time.sleep(0.05)
`

/** Opens the bakery for the tests of one file. */
export function useBakery(): () => Bakery {
  return useScene(openBakery)
}

async function openBakery(): Promise<Bakery> {
  const scene = await openUiScene(async session => {
    session.write(
      '.ai/tools/oven/bake.py',
      tool('oven/bake', SCHEMA, '    return {"baked": params["loaves"]}'),
    )
    session.write(
      '.ai/tools/oven/endless.py',
      tool('oven/endless', '{"type": "object", "properties": {}}', ENDLESS),
    )
    session.write('.ai/tools/oven/changed.py', tool('oven/changed', SCHEMA, '    return {"baked": 1}'))
    session.write('.ai/knowledge/notes/flour.md', note('flour', 'Flour for `tool:oven/bake` is **ground**.'))
    session.write(
      '.ai/skills/pastry/SKILL.md',
      '---\nname: pastry\ndescription: Bakes pastry.\n---\n\n# Pastry\n',
    )
    session.write('.ai/skills/pastry/references/butter.md', '# Butter\n\nCold, always cold.\n')
    // The same skill in the other space, with one file that differs.
    const ofUser = join(session.user, '.ai/skills/pastry')
    mkdirSync(join(ofUser, 'references'), { recursive: true })
    writeFileSync(
      join(ofUser, 'SKILL.md'),
      '---\nname: pastry\ndescription: Bakes pastry.\n---\n\n# Pastry\n',
    )
    writeFileSync(join(ofUser, 'references/butter.md'), '# Butter\n\nWarm is better.\n')
    for (const item_type of ['tool', 'knowledge', 'skill'])
      await session.call('sign', { item_id: '*', item_type })
    const path = join(session.project, '.ai/tools/oven/changed.py')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"baked": 1', '"baked": 2'))
    session.write('.ai/tools/oven/fresh.py', tool('oven/fresh', SCHEMA, '    return {}', 'x = "a\u202eb"'))
  })
  const { page, server } = scene
  return {
    ...scene,
    async show(path) {
      await page.goto(server.origin + path)
      // The first frame, before the script has run, does not count.
      await page.waitForSelector('.side-note', { state: 'attached' })
      await page.waitForFunction(() => document.querySelector('.waiting') === null)
    },
  }
}
