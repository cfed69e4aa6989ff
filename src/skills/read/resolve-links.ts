// Rewrites the links in a skill's text. A path in its folder means nothing to a reader who has only the text,
// so links and `{baseDir}` become `skill:NAME/path`, which `load` reads and `execute` runs.
import { printSkillFolder, printSkillPath, type SkillName } from '../../item/index.ts'

const BASE = /\$?\{baseDir\}|\$\{CLAUDE_SKILL_DIR\}|\$CLAUDE_SKILL_DIR\b/g
/** A link target: in angle brackets, possibly with blanks, or plain, possibly with pairs of parentheses. */
const TARGET = String.raw`(?:<([^<>\n]{1,500})>|((?:[^()\s<>]|\([^()\s]{0,100}\)){1,500}))`
const LINKS: readonly RegExp[] = [
  new RegExp(String.raw`(\]\([ \t]{0,8})${TARGET}(?=[ \t]{0,8}(?:\)|[ \t]["'(]))`, 'g'),
  // `[name]: path`, which `[text][name]` leads to.
  new RegExp(String.raw`^( {0,3}\[[^\]\n]{1,200}\]:[ \t]{0,8})${TARGET}(?=[ \t]|$)`, 'gm'),
]
const ATTRIBUTE = /(<[a-z]{1,10}\s[^<>]{0,300}?\b(?:href|src)=)(?:"([^"\n]{1,500})"|'([^'\n]{1,500})')/gi

/** `has` says whether the skill holds a file. */
export function resolveLinks(body: string, skill: SkillName, has: (path: string) => boolean): string {
  const nameAt = (target: string) => {
    const [, path = '', anchor = ''] = /^(?:\.\/)?([^#]*)(#.*)?$/s.exec(target) ?? []
    const file = [path, decodeName(path)].find(has)
    return file === undefined ? undefined : printSkillPath(skill, file) + anchor
  }
  let text = body.replace(BASE, printSkillFolder(skill))
  for (const link of LINKS)
    text = text.replace(link, (written: string, before: string, bracketed = '', plain = '') => {
      const name = nameAt(bracketed || plain)
      if (name === undefined) return written
      return bracketed || /\s/.test(name) ? `${before}<${name}>` : before + name
    })
  return text.replace(ATTRIBUTE, (written: string, before: string, double = '', single = '') => {
    const name = nameAt(double || single)
    const quote = double ? '"' : "'"
    return name === undefined ? written : before + quote + name + quote
  })
}

/** A link writes `a b` as `a%20b`. */
function decodeName(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
