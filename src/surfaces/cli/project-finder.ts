// Which project a command is about when its words name none. A project found in a folder above the current
// one is named in a note, and in the answer.
import { AppError, quoteShellWord } from '../../base/index.ts'
import type { FoundProject } from '../../workspace/index.ts'
import type { Terminal } from './terminal.ts'

export interface ProjectSettings {
  /** The person's current directory. */
  readonly directory: string
  /** The directory typed after `-C`; undefined without `-C`. */
  readonly elsewhere?: string | undefined
  /**
   * Finds the project that the directory belongs to. Passed in, because the start of the program has already
   * loaded it.
   */
  readonly findProject: () => FoundProject
}

export interface ProjectFinder {
  find(input: Readonly<Record<string, unknown>>): string
  /** Adds the project to the answer, if it is not the current directory. */
  nameIn(answer: object): object
}

/** `isNew` is for a command that makes a project in the current directory. */
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
          `\`${refused.path}\` is not used as the project: ${refused.reason}; choose it with \`--project ${refused.path}\``,
        )
      if (path === directory) return path
      above = path
      terminal.note(`project: ${path}`)
      return path
    },
    nameIn: answer => (above === undefined ? answer : { ...answer, project_path: above }),
  }
}

/** Every other command would have used the project above. */
function nested(above: string): AppError {
  return new AppError('INVALID_INPUT', `this folder is part of the project \`${above}\``, {
    hint: `\`rye init .\` makes a project of its own here, \`rye init ${quoteShellWord(above)}\` sets up the one above`,
  })
}
