// Keeps tools from filling a disk, because a machine whose disk is full stops working. How much each process
// has written cannot be known in time, so the disk itself is watched while a tool runs.
import { type StatsFs, statfsSync } from 'node:fs'

const MB = 1024 * 1024
const MOST_RESERVED = 512 * MB
const RESERVED_PART = 0.05

/** Watches the file system of a folder. A disk that is nearly full already may lose half of what was left. */
export class DiskReserve {
  readonly #path: string
  readonly #leastFree: number

  constructor(path: string) {
    this.#path = path
    const disk = readDisk(path)
    this.#leastFree = disk ? leastFree(disk) : 0
  }

  /** What was taken, in words, if too little is left. Null otherwise. */
  describeExcess(): string | null {
    const disk = readDisk(this.#path)
    if (!disk || freeBytes(disk) >= this.#leastFree) return null
    return `more than the disk of \`${this.#path}\` can spare (${Math.floor(freeBytes(disk) / MB)} MB are left)`
  }
}

type Disk = Pick<StatsFs, 'bsize' | 'blocks' | 'bavail'>

export function leastFree(disk: Disk): number {
  return Math.min(MOST_RESERVED, RESERVED_PART * disk.blocks * disk.bsize, freeBytes(disk) / 2)
}

function freeBytes({ bavail, bsize }: Disk): number {
  return bavail * bsize
}

function readDisk(path: string): Disk | null {
  try {
    return statfsSync(path)
  } catch {
    return null // the folder is gone, or its file system does not say
  }
}
