// Which project a command is about, where its words name none. One that was found above where the person stands is named: in a note, and in
// the answer.
import { AppError, quoteShellWord } from '../../base/index.ts'
import type { FoundProject } from '../../workspace/index.ts'
import type { Terminal } from './terminal.ts'

export interface ProjectSettings {
  /** Where the person stands. */
  readonly directory: string
  /** What was typed after `-C`, if that is why. */
  readonly elsewhere?: string | undefined
  /** The project that this folder is of. Given, because the start of the program has it loaded. */
  readonly findProject: () => FoundProject
}

export interface ProjectFinder {
  find(input: Readonly<Record<string, unknown>>): string
  /** The answer with the project, if it is another folder than the one where the person stands. */
  nameIn(answer: object): object
}

/** With `isNew`, of a command that makes a project where one stands. */
export function projectFinder(
  terminal: Terminal,
  { directory, findProject }: ProjectSettings,
  { isNew } = { isNew: false },
): ProjectFinder {
  let above: string | undefined
  return {
    find(input) {
      const { path, refused } = findProject()
      if (isNew) {
        if (path !== directory && input.directory === undefined) throw nested(path)
        return directory
      }
      if (refused)
        terminal.note(
          `\`${refused.path}\` is not taken for the project: ${refused.reason}; \`--project ${refused.path}\` takes it`,
        )
      if (path === directory) return path
      above = path
      terminal.note(`project: ${path}`)
      return path
    },
    nameIn: answer => (above === undefined ? answer : { ...answer, project_path: above }),
  }
}

/** Every other command would have meant the project above. */
function nested(above: string): AppError {
  return new AppError('INVALID_INPUT', `this folder is part of the project \`${above}\``, {
    hint: `\`rye init .\` makes a project of its own here, \`rye init ${quoteShellWord(above)}\` sets up the one above`,
  })
}
