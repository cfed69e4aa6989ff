// Finds the modules from which scripts import `skill_command` or `skill_resource`; the launcher replaces
// those that are not installed with stand-ins. They are found by pattern: a module named only in a string
// costs a stand-in, nothing more. What `import *` brings is unknown, so such a module gets a stand-in only
// when the script uses a decorator that it can have from nowhere else.

const NAMES = /\bskill_(?:command|resource)\b/
const FROM = /^[ \t]*from[ \t]+([A-Za-z_][\w.]*)[ \t]+import[ \t]+(\([^()]*\)|(?:[^\n\\]|\\\n)*)/gm
const IMPORT =
  /^[ \t]*import[ \t]+([A-Za-z_][\w.]*(?:[ \t]+as[ \t]+[A-Za-z_]\w*)?(?:[ \t]*,[ \t]*[A-Za-z_][\w.]*(?:[ \t]+as[ \t]+[A-Za-z_]\w*)?)*)/gm
/** A decorator by its plain name. A file that neither imports nor defines it can only get it from a `*`. */
const BARE = /^[ \t]*@[ \t]*skill_(?:command|resource)\b/m
const OWN = /^[ \t]*(?:(?:async[ \t]+)?def[ \t]+|class[ \t]+)?skill_(?:command|resource)\b[ \t]*[(:=]/m
const DECORATOR = /^[ \t]*@[ \t]*([A-Za-z_][\w.]*)\.skill_(?:command|resource)\b/gm
const MAX_TEXT = 1_000_000

/** Absolute names of modules, sorted. */
export interface DecoratorModules {
  readonly names: readonly string[]
  /** Those imported with `*`. Any other name that a script lacks may have come from them. */
  readonly stars: readonly string[]
}

export function decoratorModules(files: readonly { readonly bytes: Uint8Array }[]): DecoratorModules {
  const found = files.flatMap(({ bytes }) => {
    const text = new TextDecoder().decode(bytes.subarray(0, MAX_TEXT))
    return NAMES.test(text) ? [modulesIn(text)] : []
  })
  const sorted = (names: readonly string[]) => [...new Set(names)].sort()
  const stars = sorted(found.flatMap(one => one.stars))
  return { names: sorted([...stars, ...found.flatMap(one => one.names)]), stars }
}

function modulesIn(text: string): DecoratorModules {
  const modules: string[] = []
  const stars: string[] = []
  /** The `x` of `@x.skill_command`. */
  const prefixes = new Set([...text.matchAll(DECORATOR)].map(match => match[1]!))
  const imports = [...text.matchAll(FROM)]
  const isByStar = BARE.test(text) && !OWN.test(text) && !imports.some(([, , names]) => NAMES.test(names!))
  for (const [whole, module, names] of imports) {
    // An indented import may be in a `try`, where it is allowed to fail.
    if (isByStar && names!.startsWith('*') && whole.startsWith('from')) stars.push(module!)
    if (NAMES.test(names!)) modules.push(module!)
    for (const { name, local } of importedNames(names!))
      if (prefixes.has(local)) modules.push(`${module}.${name}`)
  }
  for (const [, list] of text.matchAll(IMPORT)) {
    for (const { name, local } of importedNames(list!)) {
      // `import a.b` provides `@a.b.skill_command`.
      if (prefixes.has(local)) modules.push(name)
    }
  }
  return { names: modules, stars }
}

function importedNames(list: string): { name: string; local: string }[] {
  return list
    .replace(/[()\\]/g, ' ')
    .replace(/#[^\n]*/g, ' ')
    .split(',')
    .flatMap(part => {
      const [name, as, alias] = part.trim().split(/\s+/)
      return name ? [{ name, local: as === 'as' && alias ? alias : name }] : []
    })
}
