import { describe, expect, it } from 'vitest'
import { fieldWeights } from '../../../src/search/rank/field-weights.ts'

describe('the weights of fields', () => {
  it('are those of the extractor, else the defaults', () => {
    const searchFields = new Map([
      ['title', 5],
      ['content', 0],
    ])
    expect(fieldWeights({ searchFields })).toEqual([5, 3, 2, 1.5, 0, 1, 1.5, 2])
  })

  it('are never negative or undefined', () => {
    const searchFields = new Map([
      ['title', Number.NaN],
      ['name', -1],
    ])
    expect(fieldWeights({ searchFields })).toEqual([3, 3, 2, 1.5, 1, 1, 1.5, 2])
  })
})
