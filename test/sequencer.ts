// The order of test files. Starting a process copies the tables of our own memory: 2 ms with 40 MB, 20 ms with
// 300. So what starts processes runs while ours are small, and what makes them large (LanceDB, the driver of a
// browser) comes after it. Within that, what takes longest is first, so that the run does not end waiting for
// one file. Otherwise the runner's order stays: by duration last time, or by size.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const LONGEST = /\.(?:torture|peers)\.test\.ts$/
const STARTS_PROCESSES = /[\\/]test[\\/]system[\\/]/
const GROWS = /[\\/]test[\\/]system[\\/](?:catalogue|skills|ui)-/

export class SmallThenLarge extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => rankOf(a.moduleId) - rankOf(b.moduleId))
  }
}

function rankOf(file: string): number {
  if (GROWS.test(file)) return 2
  if (LONGEST.test(file)) return 0
  return STARTS_PROCESSES.test(file) ? 1 : 3
}
