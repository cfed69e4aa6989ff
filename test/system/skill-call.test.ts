// The launcher of a skill's tool, run by a real Python in a folder that holds exactly what the call
// describes.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { describeSkillCall } from '../../src/skills/call/skill-call.ts'
import { findSkillFolders } from '../../src/skills/folders/find-skill-folders.ts'
import type { SkillFolder } from '../../src/skills/read/records.ts'
import { LIBRARY, makeFolder } from '../skills/library.ts'

const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** Runs it as the warm worker does: compiled from its bytes, called by keyword, awaited when it must be. */
async function run(folder: SkillFolder, tool: string, parameters: object, code = ''): Promise<unknown> {
  const call = await describeSkillCall(folder, tool)
  const root = mkdtempSync(join(tmpdir(), 'rye-call-'))
  made.push(root)
  for (const { path, bytes } of call.files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), bytes)
  }
  const host = `
import asyncio, json, sys
filename, source, parameters = json.load(sys.stdin)
module = {"__file__": filename, "__name__": "rye_tool"}
exec(compile(source, filename, "exec"), module)
result = module["${call.functionName}"](**parameters)
if hasattr(result, "__await__"):
    async def finish(): return await result
    result = asyncio.run(finish())
${code}
print(json.dumps(result, default=str))
`
  const input = JSON.stringify([join(root, call.filename), new TextDecoder().decode(call.source), parameters])
  return JSON.parse(
    execFileSync('python3', ['-c', host], { input, encoding: 'utf8', cwd: root, stdio: 'pipe' }),
  )
}

function libraryFolder(name: string): SkillFolder {
  return [...findSkillFolders(LIBRARY).folders()].find(folder => folder.name === name)!
}

describe('a call of a tool', () => {
  it('runs an async function of a nested package whose decorator is not installed', async () => {
    expect(await run(libraryFolder('git'), 'git.smart_commit', { message: 'hi', tags: ['a'] })).toEqual({
      message: 'HI',
      action: 'start',
      tags: ['a'],
      level: -1,
    })
  })

  it('passes values on as they are', async () => {
    const script =
      'from nowhere.at.all import (\n    skill_command,  # not installed\n)\n@skill_command(name="echo")\ndef f(**all): return all\n'
    const parameters = { quote: `'"\\ {x} $HOME`, unicode: 'é😀', nested: { list: [1, null, true] } }
    expect(
      await run(makeFolder('s', { 'SKILL.md': '', 'scripts/a.py': script }), 'echo', parameters),
    ).toEqual(parameters)
  })

  it('stands in for a decorator that is reached through a module', async () => {
    const script =
      'import nowhere.api as api\nfrom other import tools\n@api.skill_command\ndef a(): return 1\n@tools.skill_resource()\ndef b(): return 2\n'
    const folder = makeFolder('s', { 'SKILL.md': '', 'scripts/a.py': script })
    expect([await run(folder, 's.a', {}), await run(folder, 's.b', {})]).toEqual([1, 2])
  })

  it('stands in for a module of which everything is imported', async () => {
    const script =
      'from nowhere.api import *\nfrom math import *  # is there\n@skill_command(name="go")\ndef a(): return floor(1.5)\n@skill_resource\ndef b(): return 2\n'
    const folder = makeFolder('s', { 'SKILL.md': '', 'scripts/a.py': script })
    expect([await run(folder, 's.go', {}), await run(folder, 's.b', {})]).toEqual([1, 2])
    const other =
      'from nowhere.api import skill_command\nfrom nowhere_else import *\n@skill_command\ndef a(): return 1\n'
    await expect(run(makeFolder('s', { 'SKILL.md': '', 'scripts/a.py': other }), 'a', {})).rejects.toThrow(
      /nowhere_else/,
    )
  })

  it.each([
    [
      'a decorator of its own',
      'def skill_command(**k): return lambda f: lambda: {"checked": f()}\ntry:\n    from nowhere import *\nexcept ImportError: pass\n',
      { checked: 1 },
    ],
    [
      'another way without a module',
      'from nowhere.api import *\ntry:\n    from nowhere_else import *\nexcept ImportError:\n    floor = 1\n',
      1,
    ],
  ])('leaves %s to a script', async (_, head, result) => {
    const script = `${head}@skill_command(name="go")\ndef a(): return ${result === 1 ? 'floor' : '1'}\n`
    const folder = makeFolder('s', { 'SKILL.md': '', 'scripts/a.py': script })
    expect(await run(folder, 's.go', {})).toEqual(result)
  })

  it.each([
    ['in a function', 'def a(): return array(1)', "name 'array' is not defined"],
    ['in an async function', 'async def a(): return array(1)', "name 'array' is not defined"],
    ['in a module', 'def a(x=array): return 1', "name 'array' is not defined"],
  ])(
    'names the modules that are not installed where a name of a star is missing %s',
    async (_, body, said) => {
      const script = `from nowhere.api import *\nfrom math import *\nfrom numbers_of import *\n@skill_command\n${body}\n`
      const folder = makeFolder('s', { 'SKILL.md': '', 'scripts/a.py': script })
      await expect(run(folder, 's.a', {})).rejects.toThrow(
        `NameError: ${said} (these modules are not installed: nowhere.api, numbers_of)`,
      )
    },
  )

  it.each([
    ['from nowhere import skill_command, helper\n@skill_command\ndef a(): return 1', "'helper'"],
    ['import nowhere\n@nowhere.skill_command\ndef a(): return nowhere.helper()', "'helper'"],
  ])(
    'names the module that is not installed where something else is wanted of it: %s',
    async (script, said) => {
      const folder = makeFolder('s', { 'SKILL.md': '', 'scripts/a.py': `${script}\n` })
      const failure = await run(folder, 's.a', {}).catch(String)
      expect(failure).toContain(said)
      expect(failure).toContain('(these modules are not installed: nowhere)')
    },
  )

  it.each([
    ['nothing else', 'from nowhere import skill_command', 'return wrong', "name 'wrong' is not defined"],
    ['another name', 'from nowhere import *', 'x = x; return x', 'x'],
  ])(
    'says no more of an error that has nothing to do with what is missing: %s',
    async (_, head, body, said) => {
      const script = `${head}\n@skill_command\ndef a(): ${body}\n`
      const failure = await run(makeFolder('s', { 'SKILL.md': '', 'scripts/a.py': script }), 's.a', {}).catch(
        String,
      )
      expect(failure).toContain(said)
      expect(failure).not.toContain('not installed')
    },
  )

  it('of several functions of a name means the one that can be called', async () => {
    const script =
      'from nowhere import skill_command\nclass C:\n    @skill_command(name="go")\n    def a(self): return 0\n@skill_command(name="go")\ndef b(): return 1\n'
    const folder = makeFolder('s', { 'SKILL.md': '', 'scripts/a.py': script })
    expect(await run(folder, 's.go', {})).toBe(1)
  })

  it('imports scripts that import each other as Python does', async () => {
    const files = {
      'SKILL.md': '',
      'scripts/a.py':
        'from nowhere import skill_command\nfrom . import b\n@skill_command\ndef go(): return b.shout(low())\ndef low(): return "hi"\n',
      'scripts/b.py': 'from . import a\ndef shout(text): return [text.upper(), a.low()]\n',
    }
    expect(await run(makeFolder('s', files), 's.go', {})).toEqual(['HI', 'hi'])
  })

  it('does not hide that another import is missing', async () => {
    const script =
      'from nowhere import skill_command\nimport nowhere_else\n@skill_command\ndef a(): return 1\n'
    await expect(run(makeFolder('s', { 'SKILL.md': '', 'scripts/a.py': script }), 'a', {})).rejects.toThrow(
      /nowhere_else/,
    )
  })

  it('uses a decorator that is there', async () => {
    const files = {
      'SKILL.md': '',
      'scripts/deco.py':
        'def skill_command(*a, **k):\n    return lambda f: (lambda **p: ["wrapped", f(**p)])\n',
      'scripts/a.py': 'from deco import skill_command\n@skill_command(name="x")\ndef a(n): return n\n',
    }
    expect(await run(makeFolder('s', files), 'x', { n: 1 })).toEqual(['wrapped', 1])
  })

  it('gives positional-only parameters by position and the project to a root parameter', async () => {
    const script =
      'from nowhere import skill_command\nfrom pathlib import Path\n@skill_command\ndef a(x, /, y=2, project_root: Path | None = None): return [x, y, project_root.is_dir()]\n'
    expect(
      await run(makeFolder('s', { 'SKILL.md': '', 'scripts/a.py': script }), 'a', { x: 1, y: 3 }),
    ).toEqual([1, 3, true])
  })

  it('leaves no module behind that a warm host would take for its own', async () => {
    const code = `result = [name for name, module in sys.modules.items() if name.split(".")[0] in ("scripts", "nowhere") and getattr(module, "__file__", None) is None]`
    const script =
      'from nowhere.deep import skill_command\nfrom .sub.part import two\n@skill_command\ndef a(): return two\n'
    const files = { 'SKILL.md': '', 'scripts/a.py': script, 'scripts/sub/part.py': 'two = 2\n' }
    expect(await run(makeFolder('s', files), 'a', {}, code)).toEqual([])
  })

  it('names a tool that is near when there is none', async () => {
    await expect(describeSkillCall(libraryFolder('git'), 'git.smart_comit')).rejects.toMatchObject({
      code: 'ITEM_NOT_FOUND',
      hint: 'did you mean `git.smart_commit`?',
    })
    await expect(describeSkillCall(libraryFolder('knowledge'), 'knowledge.bound')).rejects.toMatchObject({
      code: 'ITEM_MALFORMED',
    })
  })
})
