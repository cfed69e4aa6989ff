// Files that a shell, an editor, a package manager or another client obeys without asking the user.
import { isRecord, type JsonObject } from '../../base/index.ts'
import type { Finding } from './findings.ts'

const FILES: readonly { readonly pattern: RegExp; readonly says: string }[] = [
  { pattern: /(?:^|\/)\.envrc$/, says: 'a shell with direnv runs it in this folder' },
  { pattern: /(?:^|\/)(?:\.mcp|mcp)\.json$/, says: 'names programs that a client starts as servers' },
  {
    pattern: /(?:^|\/)\.(?:claude|gemini|codex|cursor)\/(?:settings|config|hooks|mcp)[\w.-]*$/,
    says: 'settings of a client, which may start programs',
  },
  { pattern: /(?:^|\/)hooks(?:\.json|\/)/, says: 'hooks: programs that a client or git starts by itself' },
  { pattern: /(?:^|\/)\.(?:husky|githooks)\//, says: 'hooks: programs that git starts by itself' },
  {
    pattern: /(?:^|\/)\.vscode\/(?:tasks|settings|launch)\.json$/,
    says: 'settings of an editor, which may start programs',
  },
  {
    pattern: /(?:^|\/)\.(?:npmrc|yarnrc(?:\.yml)?|pnpmfile\.cjs)$/,
    says: 'decides where a package manager fetches from',
  },
  {
    pattern: /(?:^|\/)(?:sitecustomize|usercustomize|conftest)\.py$|\.pth$/,
    says: 'Python runs it by itself',
  },
]
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish']

export function findSelfStarting(files: ReadonlyMap<string, Uint8Array>, metadata: JsonObject): Finding[] {
  const findings: Finding[] = []
  const add = (path: string, says: string) =>
    findings.push({ code: 'starts-by-itself', path, line: 1, message: `${says}: ${path}` })
  for (const [path, bytes] of files) {
    const says = FILES.find(({ pattern }) => pattern.test(path))?.says
    if (says !== undefined) add(path, says)
    if (/(?:^|\/)package\.json$/.test(path) && hasInstallScript(bytes))
      add(path, 'a package manager runs its scripts when it is installed')
  }
  // Only skills: the hooks of a directive are steps shown to its reader.
  const skill = [...files.keys()].find(path => /^skill\.md$/i.test(path))
  if (skill !== undefined && !isEmpty(metadata.hooks))
    add(skill, 'its header names hooks, which a client starts by itself')
  return findings
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || JSON.stringify(value).length <= 2
}

function hasInstallScript(bytes: Uint8Array): boolean {
  try {
    const manifest: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
    const scripts = isRecord(manifest) && isRecord(manifest.scripts) ? manifest.scripts : {}
    return INSTALL_SCRIPTS.some(name => Object.hasOwn(scripts, name))
  } catch {
    // A package manager that cannot read it does not obey it.
    return false
  }
}
