// Asks the person behind the agent, through the client, where it supports elicitation. A question ends the
// call with a request for input; the client asks the person, and calls again with the answer. The key of an
// answer is a digest of the question, so consent to one content does not count for another that has replaced
// it meanwhile.
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { ActionContext, Question } from '../../actions/index.ts'
import { isRecord, sha256Hex } from '../../base/index.ts'

/** Thrown to end a call until the person has answered. */
export class QuestionOpen extends Error {
  readonly request: InputRequiredResult

  constructor(key: string, { text }: Question) {
    super('a question to the person is open')
    this.request = inputRequired({
      inputRequests: {
        [key]: inputRequired.elicit({
          message: text,
          requestedSchema: {
            type: 'object',
            properties: { confirm: { type: 'boolean', title: 'Sign', default: false } },
            required: ['confirm'],
          },
        }),
      },
    })
  }
}

/** Undefined when the client cannot ask. */
export function reachPerson(server: Server, context: ServerContext): ActionContext['confirm'] {
  if (!supportsForms(server, context)) return undefined
  return async question => {
    const key = `confirm-${sha256Hex(JSON.stringify([question.text, question.subject]))}`
    const answer = inputResponse(context.mcpReq.inputResponses, key)
    if (answer.kind === 'missing') throw new QuestionOpen(key, question)
    return answer.kind === 'elicit' && answer.action === 'accept' && answer.content?.confirm === true
  }
}

/** Clients of revision 2026-07-28 declare capabilities with each request, earlier ones when they connect. */
function supportsForms(server: Server, { mcpReq }: ServerContext): boolean {
  const envelope: unknown = mcpReq.envelope
  const declared =
    (isRecord(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined) ??
    server.getClientCapabilities()
  const elicitation = isRecord(declared) ? declared.elicitation : undefined
  // Clients that predate elicitation modes declare forms with an empty object.
  return isRecord(elicitation) && ('form' in elicitation || Object.keys(elicitation).length === 0)
}
