// What to do when a Python script of a skill lacks a module: what it declares in its PEP 723 block, a folder of
// the skill that it expected to be started in, a function of the file that needs no such module, or a package.
import { type JsonValue, quoteShellWord } from '../../../base/index.ts'
import { callableItemIds, readSkill } from '../../../skills/index.ts'
import type { OpenedItem } from '../../../workspace/index.ts'
import { folderOf } from '../skill-function.ts'

interface RunScript {
  readonly item: OpenedItem
  /** The script; undefined for a function, which is run by its name already. */
  readonly path?: string
  readonly needed: readonly string[]
}

/** Adds a hint when a module is missing: Python's error names it. */
export async function nameMissing<Answer extends { readonly status: string; readonly data?: JsonValue }>(
  answer: Answer,
  { item, path, needed }: RunScript,
): Promise<Answer> {
  if (answer.status !== 'error') return answer
  const said = JSON.stringify(answer.data ?? '')
  const module = /ModuleNotFoundError: No module named '([\w.]{1,100})'/.exec(said)?.[1]
  const place = module === undefined ? undefined : placeOf(module, item)
  if (place !== undefined) return { ...answer, hint: `its Python has no module \`${module}\`: ${place}` }
  if (needed.length > 0) {
    if (!/ModuleNotFoundError|ImportError/.test(said)) return answer
    const listed = needed.map(quoteShellWord).join(' ')
    return {
      ...answer,
      hint: `the script needs ${needed.join(', ')}: install them with \`pip install ${listed}\`, or let uv supply them with \`script_packages = "uv"\` below \`[execute]\` in the user's rye.toml`,
    }
  }
  if (module === undefined) return answer
  const defined = path === undefined ? undefined : await functionIn(item, path)
  const hint =
    defined === undefined
      ? `its Python has no module \`${module}\`: install the package that brings it, often \`pip install ${module.split('.')[0]}\``
      : `its Python has no module \`${module}\`; the functions of this file are run by their names, such as \`${defined}\`, where the module that declares them need not be installed`
  return { ...answer, hint }
}

/**
 * Where the skill has such a module itself. Nobody should install a package of its name: it would be a
 * stranger's.
 */
function placeOf(module: string, { parts }: OpenedItem): string | undefined {
  const name = module.split('.')[0]!
  for (const path of [...parts.keys()].sort()) {
    if (!path.endsWith('.py')) continue
    const at = `/${path}`.search(new RegExp(`/${name}(?:/|\\.py$)`))
    if (at === -1) continue
    const rest = path.slice(at + name.length)
    const own = path.slice(0, at) + name + (rest === '.py' ? rest : '/')
    return `\`${own}\` of the skill is not where the script looks for modules, in its own folder and in that of the skill`
  }
  return undefined
}

/** The id of one function that this script of a skill offers. */
async function functionIn(item: OpenedItem, path: string): Promise<string | undefined> {
  const skill = await readSkill(folderOf(item))
  const offered = [...callableItemIds({ skill, itemId: item.file.id })]
  return offered.find(([{ record }]) => record.file_path === path)?.[1]
}
