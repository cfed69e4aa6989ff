import { describe, expect, it } from 'vitest'
import { isScript } from '../../src/plan/plan-skill-script.ts'

describe('a file of a skill is a program', () => {
  it.each([
    ['scripts/fill.py', '', true],
    ['scripts/fill', '#!/usr/bin/env python3\n', true],
    ['scripts/fill', '#!/usr/bin/env -S node --test\n', true],
    ['scripts/fill', '#!/bin/bash -e\n', true],
    ['scripts/fill', '#!/usr/bin/env\n', false],
    ['scripts/fill', '#!/usr/bin/perl\n', false],
    ['scripts/fill', 'env python3\n', false],
    ['scripts/fill', '#!/usr/bin/env -S uv run --script\n# /// script\n# ///\n', true],
    ['scripts/fill', '#!/usr/bin/env -S PYTHONUNBUFFERED=1 python3\n', true],
    ['scripts/fill', '#!/bin/zsh\n# /// script\n', false],
    ['scripts/fill', '\n# /// script\n# dependencies = []\n# ///\n', true],
    ['scripts/fill.bash', '#!/bin/bash\n', true],
    ['scripts/fill.bash', 'echo\n', false],
    ['scripts/fill.md', '# /// script\n', false],
  ])('%s with %j: %s', (path, text, expected) => {
    expect(isScript(path, Buffer.from(text))).toBe(expected)
  })
})
