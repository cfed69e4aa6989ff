import { expect, it } from 'vitest'
import { needsOfTool } from '../../../../src/actions/items/sign/needs-in-words.ts'
import type { JsonObject } from '../../../../src/base/index.ts'

const asked = (metadata: JsonObject) => needsOfTool({ id: 'x', extension: '.yaml', metadata })
const env_config = { env: { LD_PRELOAD: '/tmp/\u202ex.so', LEVEL: '1' } }

it('whoever gives a tool something is told what becomes of it', () => {
  expect(asked({ secrets: ['KEY'], config: { url: '{url}' }, env_config })).toEqual([
    'secrets `KEY`',
    'requests to whichever host its caller names',
    'to choose what programs load or run `LD_PRELOAD=/tmp/\\u{202e}x.so`',
  ])
})

it('what gives a tool nothing beyond its sandbox is not asked for', () => {
  expect(asked({ config: { url: '{url}' }, config_resolve: { path: 'a.yaml' }, env_config })).toEqual([])
})
