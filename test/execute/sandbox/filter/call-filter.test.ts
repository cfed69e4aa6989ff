import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileCallFilter } from '../../../../src/execute/sandbox/filter/call-filter.ts'
import { runBpf } from './run-bpf.ts'

const ALLOW = 0x7fff0000
const KILL = 0x80000000
const EPERM = 0x00050001
const ENOSYS = 0x00050026
const EOPNOTSUPP = 0x0005005f
const EAFNOSUPPORT = 0x00050061

// Numbers from the kernel's tables, written down independently.
const PROCESSORS = {
  x64: {
    architecture: 0xc000003e,
    denied: {
      ...{ ptrace: 101, process_vm_readv: 310, process_vm_writev: 311, kcmp: 312, pidfd_getfd: 438 },
      ...{ keyctl: 250, add_key: 248, request_key: 249, bpf: 321, perf_event_open: 298, userfaultfd: 323 },
      ...{ io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, mount: 165, umount2: 166 },
      ...{ move_mount: 429, open_tree: 428, fsopen: 430, fsconfig: 431, fsmount: 432, fspick: 433 },
      ...{ mount_setattr: 442, pivot_root: 155, chroot: 161, setns: 308, kexec_load: 246 },
      ...{ kexec_file_load: 320, init_module: 175, finit_module: 313, delete_module: 176, reboot: 169 },
      ...{ swapon: 167, swapoff: 168, acct: 163, quotactl: 179, syslog: 103, open_by_handle_at: 304 },
      ...{ process_madvise: 440, move_pages: 279, migrate_pages: 256, iopl: 172, ioperm: 173 },
      ...{ vhangup: 153, lookup_dcookie: 212, quotactl_fd: 443, open_tree_attr: 467 },
    },
    absent: { clone3: 435, memfd_create: 319, memfd_secret: 447 },
    judged: { clone: 56, unshare: 272, socket: 41, socketpair: 53, ioctl: 16, shmget: 29, fallocate: 285 },
    plain: { read: 0, write: 1, openat: 257, execve: 59, connect: 42, futex: 202, mmap: 9, kill: 62 },
  },
  arm64: {
    architecture: 0xc00000b7,
    denied: {
      ...{ ptrace: 117, process_vm_readv: 270, process_vm_writev: 271, kcmp: 272, pidfd_getfd: 438 },
      ...{ keyctl: 219, add_key: 217, request_key: 218, bpf: 280, perf_event_open: 241, userfaultfd: 282 },
      ...{ io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, mount: 40, umount2: 39 },
      ...{ move_mount: 429, open_tree: 428, fsopen: 430, fsconfig: 431, fsmount: 432, fspick: 433 },
      ...{ mount_setattr: 442, pivot_root: 41, chroot: 51, setns: 268, kexec_load: 104 },
      ...{ kexec_file_load: 294, init_module: 105, finit_module: 273, delete_module: 106, reboot: 142 },
      ...{ swapon: 224, swapoff: 225, acct: 89, quotactl: 60, syslog: 116, open_by_handle_at: 265 },
      ...{ process_madvise: 440, move_pages: 239, migrate_pages: 238, vhangup: 58, lookup_dcookie: 18 },
      ...{ quotactl_fd: 443, open_tree_attr: 467 },
    },
    absent: { clone3: 435, memfd_create: 279, memfd_secret: 447 },
    judged: { clone: 220, unshare: 97, socket: 198, socketpair: 199, ioctl: 29, shmget: 194, fallocate: 47 },
    plain: { read: 63, write: 64, openat: 56, execve: 221, connect: 203, futex: 98, mmap: 222, kill: 129 },
  },
} as const

const anyArguments = fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { minLength: 6, maxLength: 6 })

describe.each(Object.entries(PROCESSORS))('the filter for %s', (name, processor) => {
  const filter = compileCallFilter(name)!
  const call = (number: number, ...given: (bigint | number)[]) => ({
    architecture: processor.architecture,
    number,
    arguments: given.map(BigInt),
  })
  const judge = (number: number, ...given: (bigint | number)[]) => runBpf(filter, call(number, ...given))
  const { clone, unshare, socket, socketpair, ioctl, shmget, fallocate } = processor.judged

  it.each(Object.entries(processor.denied))('denies %s, whatever its arguments', (_, number) => {
    fc.assert(
      fc.property(anyArguments, given => {
        expect(judge(number, ...given)).toBe(EPERM)
      }),
      { numRuns: 20 },
    )
  })

  it.each(Object.entries(processor.absent))('knows no %s', (_, number) => {
    expect(judge(number, 0n, 1n)).toBe(ENOSYS)
  })

  it('allows every other call that it knows of, and is surprised by none that came later', () => {
    const special: number[] = Object.values({ ...processor.denied, ...processor.absent, ...processor.judged })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000 }), anyArguments, (number, given) => {
        fc.pre(!special.includes(number))
        expect(runBpf(filter, call(number, ...given))).toBe(number > 470 ? ENOSYS : ALLOW)
      }),
      { numRuns: 2_000 },
    )
    for (const number of Object.values(processor.plain)) expect(judge(number, 1n)).toBe(ALLOW)
  })

  it('ends a process that calls by the rules of another processor', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }), fc.integer(), (architecture, number) => {
        fc.pre(architecture !== processor.architecture)
        expect(runBpf(filter, { architecture, number, arguments: [] })).toBe(KILL)
      }),
    )
    // 32 bits: of Intel, of ARM.
    for (const architecture of [0x40000003, 0x40000028])
      expect(runBpf(filter, { architecture, number: 1, arguments: [] })).toBe(KILL)
    if (name === 'x64') expect(judge(0x40000000 + 101)).toBe(KILL)
  })

  it('lets a process make threads and children, but no namespace', () => {
    const [fork, thread] = [0x01200011, 0x003d0f00]
    for (const flags of [fork, thread]) expect(judge(clone, flags)).toBe(ALLOW)
    for (const bit of [17, 25, 26, 27, 28, 29, 30]) {
      expect(judge(clone, fork | (1 << bit))).toBe(EPERM)
      expect(judge(unshare, 2n ** BigInt(bit))).toBe(EPERM)
    }
    expect(judge(unshare, 0x80)).toBe(EPERM)
    expect(judge(unshare, 0x600)).toBe(ALLOW)
  })

  it('opens sockets of the loopback, and none of files', () => {
    const families = (verdict: number) =>
      Array.from({ length: 50 }, (_, family) => family).filter(
        family => judge(socket, family, 1, 0) === verdict,
      )
    expect(families(ALLOW)).toEqual([2, 10, 16])
    expect(families(EPERM)).toEqual([1])
    // Of netlink, only the routing table.
    for (const protocol of [4, 9, 12, 15, 16]) expect(judge(socket, 16, 3, protocol)).toBe(EAFNOSUPPORT)
    // The kernel reads 32 bits of the family.
    expect(judge(socket, 2n ** 32n + 1n, 1, 0)).toBe(EPERM)
  })

  it('makes pairs of sockets that stay what they are', () => {
    const nonBlocking = 0o2004000
    for (const type of [1, 5, 1 | nonBlocking]) expect(judge(socketpair, 1, type, 0)).toBe(ALLOW)
    for (const type of [2, 3, 2 | nonBlocking]) expect(judge(socketpair, 1, type, 0)).toBe(EPERM)
    expect(judge(socketpair, 30, 1, 0)).toBe(EAFNOSUPPORT)
  })

  it('types nothing into a terminal, also with a number that the kernel shortens', () => {
    for (const request of [0x5412n, 0x541cn, 2n ** 32n + 0x5412n])
      expect(judge(ioctl, 0, request)).toBe(EPERM)
    for (const request of [0x5401, 0x5413, 0x541b]) expect(judge(ioctl, 0, request)).toBe(ALLOW)
  })

  it('hands out no memory or space that could not be counted', () => {
    expect(judge(shmget, 0, 56)).toBe(ALLOW)
    expect(judge(shmget, 0, 65_536)).toBe(ALLOW)
    for (const size of [65_537n, 2n ** 30n, 2n ** 40n]) expect(judge(shmget, 0, size)).toBe(EPERM)
    for (const mode of [0, 1, 0x10, 0x20]) expect(judge(fallocate, 3, mode)).toBe(EOPNOTSUPP)
    for (const mode of [3, 8]) expect(judge(fallocate, 3, mode)).toBe(ALLOW)
  })
})

it('there is no filter for a processor whose calls are unknown', () => {
  expect(compileCallFilter('riscv64')).toBeNull()
})
