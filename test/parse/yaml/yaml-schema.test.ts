import { describe, expect, it } from 'vitest'
import { parseBytes } from '../../../src/parse/parse-bytes.ts'

// Every row is PyYAML 6's value for the scalar, with dates and integers past 2^53 as text.
const SCALARS: readonly (readonly [string, unknown])[] = [
  ...['yes', 'Yes', 'YES', 'on', 'On', 'ON', 'true', 'True', 'TRUE'].map(word => [word, true] as const),
  ...['no', 'No', 'NO', 'off', 'Off', 'OFF', 'false', 'False', 'FALSE'].map(word => [word, false] as const),
  ...['y', 'Y', 'n', 'N', 'yEs', 'tRue', 'nULL', 'nan', 'inf', '-.nan'].map(word => [word, word] as const),
  ...['~', 'null', 'Null', 'NULL', ''].map(word => [word, null] as const),
  ['0', 0],
  ['+1', 1],
  ['-17', -17],
  ['017', 15],
  ['-017', -15],
  ['08', '08'],
  ['0o17', '0o17'],
  ['0b101', 5],
  ['0x1F', 31],
  ['0xg', '0xg'],
  ['1_000', 1000],
  ['_1', '_1'],
  ['1:30', 90],
  ['-1:30', -90],
  ['190:20:30', 685230],
  ['0:30', '0:30'],
  ['1:60', '1:60'],
  ['9007199254740993', '9007199254740993'],
  ['0xFFFFFFFFFFFFFFFFF', '295147905179352825855'],
  ['1.5', 1.5],
  ['1.', 1],
  ['.5', 0.5],
  ['-.5', '-.5'],
  ['1_0.5', 10.5],
  ['1e3', '1e3'],
  ['1.0e3', '1.0e3'],
  ['1.0e+3', 1000],
  ['1:30.5', 90.5],
  ['0:30.5', 30.5],
  ['.inf', 'Infinity'],
  ['-.INF', '-Infinity'],
  ['.NaN', 'NaN'],
  ['1.0.0', '1.0.0'],
  ['2026-02-18', '2026-02-18'],
  ['2026-2-8', '2026-2-8'],
  ['2026-02-18T00:00:00Z', '2026-02-18T00:00:00Z'],
  ['2026-02-18 1:11:12', '2026-02-18T01:11:12'],
  ['2026-02-18t01:11:12.125 +2', '2026-02-18T01:11:12.125+02:00'],
  ['"yes"', 'yes'],
  ["'017'", '017'],
  ['!!str 017', '017'],
  ["!!int '3'", 3],
  ['!!float 1', 1],
]

describe('scalars are typed as PyYAML types them', () => {
  it.each(SCALARS)('%s', async (source, expected) => {
    const { metadata } = await parseBytes('yaml/yaml', new TextEncoder().encode(`k: ${source}\n`), '.yaml')
    expect(metadata.k).toEqual(expected)
  })
})
