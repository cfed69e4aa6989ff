// Finds the line where a text sets a field, for whoever has to change it.
import { expect, it } from 'vitest'
import { locateField } from '../../src/extract/locate-field.ts'

const RULES = new Map([['description', [{ from: 'path' as const, key: 'tool_description' }]]])

it.each<[string, string, string, string]>([
  ['YAML', 'tool_type: x\nversion: soon\n', 'version', '2:1'],
  ['YAML, not in a nested object', 'config:\n  version: 1\nversion: soon\n', 'version', '3:1'],
  ['a list in YAML', 'a: 1\ninputs:\n  - name: x\n', 'inputs[0]', '2:1'],
  ['a member', 'limits:\n  turns: many\n', 'limits.turns', '1:1'],
  ['JSON', '{\n  "a": {"version": 2},\n  "version": 1\n}\n', 'version', '3:4'],
  ['TOML', 'name = "x"\nversion = "soon"\n', 'version', '2:1'],
  ['Python', 'import os\n__version__ = "soon"\n', 'version', '2:1'],
  ['TypeScript', "export const __version__ = 'soon'\n", 'version', '1:14'],
  ['a shell script', '#!/bin/sh\n# __version__ = "soon"\n', 'version', '2:3'],
  ['another name', '__tool_description__ = 3\n', 'description', '1:1'],
  ['an attribute', '```xml\n<directive name="a" version="soon">\n', 'version', '2:21'],
])('in %s', (_, text, field, expected) => {
  const place = locateField(text, { rules: RULES }, field)
  expect(`${place?.line}:${place?.column}`).toBe(expected)
})

it('is not known for what is missing', () => {
  expect(locateField('a: 1\n# version is missing\n', { rules: RULES }, 'version')).toBeUndefined()
  expect(locateField('', { rules: RULES }, 'version')).toBeUndefined()
})
