// What the client calls itself. Clients of revision 2026-07-28 say it with each request, earlier ones when
// they connect.
import { CLIENT_INFO_META_KEY, type Server, type ServerContext } from '@modelcontextprotocol/server'
import { isRecord } from '../../base/index.ts'

export function clientName(server: Server, { mcpReq }: ServerContext): string | undefined {
  const envelope: unknown = mcpReq.envelope
  const info = (isRecord(envelope) ? envelope[CLIENT_INFO_META_KEY] : undefined) ?? server.getClientVersion()
  return isRecord(info) && typeof info.name === 'string' && info.name !== '' ? info.name : undefined
}
