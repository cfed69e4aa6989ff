// Commands that are not actions: each belongs to a surface, and is loaded when it is called.
import { VERSION } from '../base/index.ts'
import { type OtherCommand, untilInterrupted } from '../surfaces/cli/index.ts'

export interface OtherSettings {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The file of the command, for the parts that run it again. */
  readonly program: string
  /** Called once a server is ready to begin. */
  readonly onStarted: () => void
}

export function otherCommands({ environment, program, onStarted }: OtherSettings): OtherCommand[] {
  const served = { version: VERSION, environment, onStarted, untilInterrupted }
  return [
    {
      name: 'demo',
      summary: 'a guided tour in a temporary project',
      load: async () => ({
        fields: {},
        run: async () => (await import('../surfaces/cli/tour/index.ts')).runTour({ environment, program }),
      }),
    },
    {
      name: 'mcp',
      summary: 'serve the library to an agent over MCP, on stdio or --http',
      load: async () => (await import('../surfaces/mcp/index.ts')).mcpCommand(served),
    },
    {
      name: 'dev',
      summary: 'watch the project: validate on save, sign at a key press, run again',
      load: async () => (await import('../surfaces/cli/dev/index.ts')).devCommand({ environment }),
    },
    {
      name: 'ui',
      summary: 'show the library, its trust and its runs in the browser',
      load: async () => (await import('../surfaces/ui/index.ts')).uiCommand({ ...served, program }),
    },
  ]
}
