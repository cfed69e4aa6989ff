// The text of a skill with names that lead somewhere: a path in its folder means nothing to whoever reads the text without the
// folder, so links and `{baseDir}` become `skill:NAME/path`, which `load` reads and `execute` runs.

const BASE = /\{baseDir\}|\$\{CLAUDE_SKILL_DIR\}|\$CLAUDE_SKILL_DIR\b/g
const LINK = /(\]\()(?:\.\/)?([^()\s#]{1,500})(#[^()\s]*)?(\))/g

/** `has` says whether the skill holds a file. */
export function resolveLinks(body: string, id: string, has: (path: string) => boolean): string {
  return body
    .replace(BASE, `skill:${id}`)
    .replace(LINK, (link: string, open: string, path: string, anchor = '', close: string) =>
      has(path) ? `${open}skill:${id}/${path}${anchor}${close}` : link,
    )
}
