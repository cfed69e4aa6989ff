// Which project a command is about, where its words name none. One that was found above where the person stands is named: in a note, and in
// the answer.
import type { FoundProject } from '../../workspace/index.ts'
import type { Terminal } from './terminal.ts'

export interface ProjectSettings {
  /** Where the person stands. */
  readonly directory: string
  /** The project that this folder is of. Given, because the start of the program has it loaded. */
  readonly findProject: () => FoundProject
}

export interface ProjectFinder {
  find(): string
  /** The answer with the project, if it is another folder than the one where the person stands. */
  nameIn(answer: object): object
}

export function projectFinder(
  terminal: Terminal,
  { directory, findProject }: ProjectSettings,
  { upwards } = { upwards: true },
): ProjectFinder {
  let above: string | undefined
  return {
    find() {
      if (!upwards) return directory
      const { path, refused } = findProject()
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
