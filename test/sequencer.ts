// Starts the test files that take longest first, so that the run does not end waiting for one of them. The
// others keep the runner's order: by their duration last time, or by size.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const LONGEST = /\.(?:torture|peers)\.test\.ts$/

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter(file => !isLong(file))]
  }
}
