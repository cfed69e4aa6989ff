// The order of test files. Those that take longest start first, so that the run does not end waiting for one
// of them. Those that start processes come before those that start none: a start copies the tables of our
// memory, and test processes have less of it in the beginning (2 ms with 40 MB, 20 with 300). Otherwise the
// runner's order stays: by their duration last time, or by size.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const GROUPS = [/\.(?:torture|peers)\.test\.ts$/, /[\\/]test[\\/]system[\\/]/, /./]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const groupOf = ({ moduleId }: TestSpecification) => GROUPS.findIndex(group => group.test(moduleId))
    return sorted.sort((a, b) => groupOf(a) - groupOf(b))
  }
}
