// A question as an agent asks it, for the engine behind `search`.

/** Undefined for a question that search rejects. */
export async function makeRequest(question, vector) {
  const { parseScope, readFilters, readQuery } = await import('../src/query/index.ts')
  const { fieldWeights } = await import('../src/search/index.ts')
  try {
    return {
      ...(vector && { vector }),
      query: readQuery(question).query,
      text: question,
      match: 'auto',
      fuzzy: 0,
      proximity: undefined,
      fields: new Map(),
      filters: readFilters({}),
      scope: parseScope('*'),
      spaces: ['shared'],
      sortBy: 'score',
      offset: 0,
      limit: 10,
      weights: new Map([['knowledge', fieldWeights(undefined)]]),
    }
  } catch {
    return undefined
  }
}
