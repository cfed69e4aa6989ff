// The modules from which scripts import `skill_command` or `skill_resource`: the launcher replaces those that are not
// installed with stand-ins. Found by pattern; one that is only named in a string costs a stand-in, nothing more.

const NAMES = /\bskill_(?:command|resource)\b/
const FROM = /^[ \t]*from[ \t]+([A-Za-z_][\w.]*)[ \t]+import[ \t]+(\([^()]*\)|(?:[^\n\\]|\\\n)*)/gm
const IMPORT =
  /^[ \t]*import[ \t]+([A-Za-z_][\w.]*(?:[ \t]+as[ \t]+[A-Za-z_]\w*)?(?:[ \t]*,[ \t]*[A-Za-z_][\w.]*(?:[ \t]+as[ \t]+[A-Za-z_]\w*)?)*)/gm
/** A decorator by its own name, which a file without an import of it can only have from a `*`. */
const BARE = /^[ \t]*@[ \t]*skill_(?:command|resource)\b/m
const DECORATOR = /^[ \t]*@[ \t]*([A-Za-z_][\w.]*)\.skill_(?:command|resource)\b/gm
const MAX_TEXT = 1_000_000

/** Absolute module names, sorted. */
export function decoratorModules(files: readonly { readonly bytes: Uint8Array }[]): string[] {
  const modules = new Set<string>()
  for (const { bytes } of files) {
    const text = new TextDecoder().decode(bytes.subarray(0, MAX_TEXT))
    if (NAMES.test(text)) for (const name of modulesIn(text)) modules.add(name)
  }
  return [...modules].sort()
}

function modulesIn(text: string): string[] {
  const modules: string[] = []
  /** The `x` of `@x.skill_command`. */
  const prefixes = new Set([...text.matchAll(DECORATOR)].map(match => match[1]!))
  const imports = [...text.matchAll(FROM)]
  const isByStar = BARE.test(text) && !imports.some(([, , names]) => NAMES.test(names!))
  for (const [, module, names] of imports) {
    if (NAMES.test(names!) || (isByStar && names!.startsWith('*'))) modules.push(module!)
    for (const { name, local } of importedNames(names!))
      if (prefixes.has(local)) modules.push(`${module}.${name}`)
  }
  for (const [, list] of text.matchAll(IMPORT)) {
    for (const { name, local } of importedNames(list!)) {
      // `import a.b` provides `@a.b.skill_command`.
      if (prefixes.has(local)) modules.push(name)
    }
  }
  return modules
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
