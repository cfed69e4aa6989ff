// `rye demo`: a guided tour in a temporary project with its own user space. It touches nothing of the
// person's.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLibrary } from '../../../workspace/index.ts'
import { listenForInterrupt } from '../interruption.ts'
import { fold } from '../render/columns.ts'
import { createTerminal } from '../terminal.ts'
import { meetAgent } from './agent.ts'
import { createItems, executeItems, searchItems, shadowItem, tamper } from './chapters.ts'
import { chapter, type Guide, ReaderGone } from './step.ts'

export interface TourSettings {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The file of this program, for the part where it serves a real MCP client. */
  readonly program: string
}

export async function runTour(settings: TourSettings): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), 'rye-demo-'))
  const environment = { ...settings.environment, USER_SPACE: join(root, 'user'), HOME: join(root, 'user') }
  const project = join(root, 'project')
  for (const folder of [project, environment.USER_SPACE]) mkdirSync(folder)
  const terminal = createTerminal(process.stdout, process.stderr, {
    color: !settings.environment.NO_COLOR,
    quiet: false,
  })
  const library = openLibrary({ environment })
  const interruption = listenForInterrupt()
  const { signal } = interruption
  const guide: Guide = { library, project, terminal, signal, wrong: [], leftOut: [] }
  const started = performance.now()
  try {
    chapter(guide, 'rye: a tour in a temporary project', `${project}, removed at the end`)
    await createItems(guide, settings.program)
    await searchItems(guide)
    await executeItems(guide)
    await tamper(guide)
    await shadowItem(guide)
    await meetAgent(guide, settings.program, environment)
  } catch (thrown) {
    if (signal.aborted) {
      terminal.say('interrupted')
      return interruption.status()!
    }
    if (!(thrown instanceof ReaderGone)) throw thrown
    return 0
  } finally {
    interruption.stop()
    await library.close()
    rmSync(root, { recursive: true, force: true })
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (guide.wrong.length > 0) {
    terminal.print(
      `\n${terminal.style.red(`✗ ${guide.wrong.length} steps went wrong:`)} ${guide.wrong.join('; ')}`,
    )
    return 1
  }
  terminal.print(`\n${terminal.style.green('✓')} every step was right (${seconds} s)`)
  for (const title of guide.leftOut)
    terminal.print(
      fold(
        `${terminal.style.yellow('!')} left out: rye ${title}; \`rye doctor\` says what to install`,
        terminal.columns,
      ),
    )
  terminal.print(
    [
      '',
      terminal.style.bold('next, in a project of yours'),
      // Under `npx`, `rye` is only on the path of that one command.
      ...(settings.environment.npm_command === 'exec' ? ['  npm install --global ryekit'] : []),
      '  rye init                  # folders, key, first items, how to connect',
      '  rye new tool ops/deploy   # a tool that runs as it is',
      '  rye search how do I wrap an MCP server',
    ].join('\n'),
  )
  return 0
}
