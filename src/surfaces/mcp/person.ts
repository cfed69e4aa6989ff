// The person behind the agent, asked through the client where it supports elicitation. A question ends the call with a request
// for input; the client asks, and calls again with the answer. Answers are kept under the digest of what was asked, so that consent
// to one content is none to another that has taken its place meanwhile.
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

/** Ends a call until the person has answered. */
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

/** Undefined where the client cannot ask. */
export function reachPerson(server: Server, context: ServerContext): ActionContext['confirm'] {
  if (!supportsForms(server, context)) return undefined
  return async question => {
    const key = `confirm-${sha256Hex(JSON.stringify([question.text, question.subject]))}`
    const answer = inputResponse(context.mcpReq.inputResponses, key)
    if (answer.kind === 'missing') throw new QuestionOpen(key, question)
    return answer.kind === 'elicit' && answer.action === 'accept' && answer.content?.confirm === true
  }
}

/** Revision 2026-07-28 declares capabilities with each request, earlier ones with the connection. */
function supportsForms(server: Server, { mcpReq }: ServerContext): boolean {
  const envelope: unknown = mcpReq.envelope
  const declared =
    (isRecord(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined) ??
    server.getClientCapabilities()
  const elicitation = isRecord(declared) ? declared.elicitation : undefined
  // An empty object is how clients before the modes declared forms.
  return isRecord(elicitation) && ('form' in elicitation || Object.keys(elicitation).length === 0)
}
