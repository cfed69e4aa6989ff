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
    ['scripts/fill.md', '#!/bin/bash\n', false],
  ])('%s with %j: %s', (path, text, expected) => {
    expect(isScript(path, Buffer.from(text))).toBe(expected)
  })
})
