// Which files of tests begin first: those that take longest, so that none of them is waited for alone at the end. Others come in the
// order that the runner gives them: by how long they took the last time, or by their size.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const LONGEST = /\.(?:torture|peers)\.test\.ts$/

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter(file => !isLong(file))]
  }
}
