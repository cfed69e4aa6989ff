// One item of every type and every way of carrying a signature, small enough to change at each of its bytes.
import type { SignatureFormat } from '../../src/item/signature-format.ts'
import { describeKey } from '../../src/trust/identity-document.ts'
import { generateKey } from '../../src/trust/key.ts'
import type { SignedFile, TrustContext } from '../../src/trust/types.ts'

export const HASH_MARKS: SignatureFormat = { prefix: '#', suffix: '', afterShebang: true, detached: false }
export const SLASH_MARKS: SignatureFormat = { prefix: '//', suffix: '', afterShebang: true, detached: false }
export const XML_MARKS: SignatureFormat = {
  prefix: '<!--',
  suffix: '-->',
  afterShebang: false,
  detached: false,
}
export const DETACHED: SignatureFormat = { prefix: '', suffix: '', afterShebang: false, detached: true }

export const NOW = '2026-03-01T12:00:00Z'
export const key = generateKey()
export const stranger = generateKey()

export function contextWith(changes: Partial<TrustContext> = {}): TrustContext {
  return {
    keys: new Map([[key.fingerprint, describeKey(key.publicPem, 'local')]]),
    revoked: new Map(),
    approvals: new Map(),
    manifest: new Map(),
    policy: { legacy: 'refuse' },
    now: new Date(NOW),
    ...changes,
  }
}

const DIRECTIVE = `# Deploy a site

Before the block.

\`\`\`xml
<directive name="deploy" version="1.0.0">
  <metadata><description>Deploys</description></metadata>
</directive>
\`\`\`

1. Build it.
2. Ship it.
`

const SCRIPT = `__version__ = "1.0.0"

def execute(params, project_path):
    return {"ok": True}
`

const FENCED = `# Title

\`\`\`yaml
name: entry
\`\`\`

Text with umlauts: äöü.
`

const FRONT_MATTER = `---
name: entry
title: Old style
---

Body of the entry.
`

function sample(file: Pick<SignedFile, 'type' | 'id' | 'extension' | 'format'>, text: string): SignedFile {
  return { ...file, bytes: Buffer.from(text) }
}

export const samples: Readonly<Record<string, SignedFile>> = {
  directive: sample({ type: 'directive', id: 'site/deploy', extension: '.md', format: XML_MARKS }, DIRECTIVE),
  'directive with CRLF': sample(
    { type: 'directive', id: 'site/deploy', extension: '.md', format: XML_MARKS },
    DIRECTIVE.replaceAll('\n', '\r\n'),
  ),
  'fenced knowledge': sample(
    { type: 'knowledge', id: 'notes/entry', extension: '.md', format: XML_MARKS },
    FENCED,
  ),
  'knowledge with front matter': sample(
    { type: 'knowledge', id: 'notes/entry', extension: '.md', format: XML_MARKS },
    FRONT_MATTER,
  ),
  'python tool': sample({ type: 'tool', id: 'demo/run', extension: '.py', format: HASH_MARKS }, SCRIPT),
  'tool with a shebang': sample(
    { type: 'tool', id: 'demo/run', extension: '.py', format: HASH_MARKS },
    `#!/usr/bin/env python3\n${SCRIPT}`,
  ),
  'shebang tool with CRLF': sample(
    { type: 'tool', id: 'demo/run', extension: '.py', format: HASH_MARKS },
    `#!/usr/bin/env python3\n${SCRIPT}`.replaceAll('\n', '\r\n'),
  ),
  'javascript tool': sample(
    { type: 'tool', id: 'demo/js', extension: '.js', format: SLASH_MARKS },
    'export const __version__ = "1.0.0"\nexport const execute = () => 1\n',
  ),
  'yaml tool': sample(
    { type: 'tool', id: 'demo/yaml', extension: '.yaml', format: HASH_MARKS },
    'version: 1.0.0\nexecutor_id: rye/core/runtimes/bash/bash\n',
  ),
  'json tool': sample(
    { type: 'tool', id: 'demo/json', extension: '.json', format: DETACHED },
    '{\n  "version": "1.0.0"\n}\n',
  ),
  config: sample(
    { type: 'config', id: 'agents/limits', extension: '.yaml', format: HASH_MARKS },
    'version: 1.0.0\nlimit: 3\n',
  ),
  'text with a lone CR': sample(
    { type: 'knowledge', id: 'notes/mac', extension: '.md', format: XML_MARKS },
    'one\rtwo\r\nthree\n',
  ),
  'text without a final line feed': sample(
    { type: 'knowledge', id: 'notes/short', extension: '.md', format: XML_MARKS },
    'one\ntwo',
  ),
}
