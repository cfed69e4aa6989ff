import { expect, it } from 'vitest'
import { callAction } from '../../src/actions/call-action.ts'
import { scratch } from '../workspace/scratch.ts'

it('answers a program as the command line would', async () => {
  const { library, project } = await scratch()
  const answer = await callAction(library, 'search', { query: 'how do I read a file', project_path: project })
  expect(answer).toMatchObject({ query: 'how do I read a file', limit: 10, search_type: 'keyword' })
})

it('gives a failure as an answer, and refuses an action that is none', async () => {
  const { library, project } = await scratch()
  const answer = await callAction(library, 'load', { item_id: 'no/such', project_path: project })
  expect(answer).toMatchObject({ status: 'error', code: 'ITEM_NOT_FOUND' })
  await expect(callAction(library, 'serch', {})).rejects.toMatchObject({ code: 'INVALID_INPUT' })
})
