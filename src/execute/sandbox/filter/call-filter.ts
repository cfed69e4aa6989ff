// Which system calls a sandboxed tool may make, as a filter for the kernel. It takes away what no tool needs and what would lead
// around the rest of the sandbox: other processes' memory, the kernel's own programs, new namespaces, sockets of files, memory
// that no process accounts for. What is not named here is allowed: mounts and missing capabilities already bound it.
import {
  ARCHITECTURE,
  and,
  answer,
  argument,
  encodeProgram,
  type Instruction,
  ifAnyBit,
  ifEqual,
  ifGreater,
  load,
  NUMBER,
  upperHalf,
} from './bpf.ts'
import { type CallName, NEWEST_CALL, PROCESSORS, type Processor } from './system-calls.ts'

const ALLOW = answer(0x7fff_0000)
const KILL = answer(0x8000_0000)
const fail = (errno: number): Instruction => answer(0x0005_0000 | errno)
const EPERM = fail(1)
const ENOSYS = fail(38)
const EOPNOTSUPP = fail(95)
const EAFNOSUPPORT = fail(97)

const DENIED: readonly CallName[] = [
  // Other processes: process 1 of the sandbox is one of them, and who stops it stops whoever waits for it.
  ...(['ptrace', 'process_vm_readv', 'process_vm_writev', 'process_madvise', 'pidfd_getfd', 'kcmp'] as const),
  ...(['move_pages', 'migrate_pages'] as const),
  // Keys of the user's session.
  ...(['keyctl', 'add_key', 'request_key'] as const),
  // Programs inside the kernel, and ways to stop it in the middle of a call.
  ...(['bpf', 'perf_event_open', 'userfaultfd'] as const),
  // Its calls pass no filter.
  ...(['io_uring_setup', 'io_uring_enter', 'io_uring_register'] as const),
  ...(['mount', 'umount2', 'move_mount', 'open_tree', 'open_tree_attr', 'fsopen', 'fsconfig'] as const),
  ...(['fsmount', 'fspick', 'mount_setattr', 'pivot_root', 'chroot', 'setns', 'open_by_handle_at'] as const),
  ...(['kexec_load', 'kexec_file_load', 'init_module', 'finit_module', 'delete_module'] as const),
  ...(['reboot', 'swapon', 'swapoff', 'acct', 'quotactl', 'quotactl_fd', 'syslog', 'vhangup'] as const),
  ...(['lookup_dcookie', 'iopl', 'ioperm'] as const),
]

const AF_UNIX = 1
const AF_INET = 2
const AF_INET6 = 10
const AF_NETLINK = 16
const NETLINK_ROUTE = 0
const SOCK_TYPE_MASK = 0xf
const SOCK_STREAM = 1
const SOCK_SEQPACKET = 5
/** Mount, cgroup, host name, IPC, user, process and network namespaces; the last one is of `unshare` alone. */
const CLONE_NAMESPACES = 0x7e02_0000
const CLONE_NEWTIME = 0x80
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c
const FALLOC_FREES_SPACE = 0x02 | 0x08
/** A kernel keeps 4 096 segments at most, so all of them together stay below 256 MB. */
const LARGEST_SEGMENT = 64 * 1024

/** The loopback, and the routing table that looking up a name asks for. A socket of a file would lead out of the sandbox. */
const SOCKET_RULES: readonly Instruction[] = [
  load(argument(0)),
  ...ifEqual(AF_UNIX, [EPERM]),
  ...ifEqual(AF_INET, [ALLOW]),
  ...ifEqual(AF_INET6, [ALLOW]),
  ...ifEqual(AF_NETLINK, [load(argument(2)), ...ifEqual(NETLINK_ROUTE, [ALLOW]), EAFNOSUPPORT]),
  EAFNOSUPPORT,
]

/** Pairs of connected sockets are pipes. Those for datagrams can be connected again, to the socket of a file. */
const PAIR_RULES: readonly Instruction[] = [
  load(argument(0)),
  ...ifEqual(AF_UNIX, [
    load(argument(1)),
    and(SOCK_TYPE_MASK),
    ...ifEqual(SOCK_STREAM, [ALLOW]),
    ...ifEqual(SOCK_SEQPACKET, [ALLOW]),
    EPERM,
  ]),
  EAFNOSUPPORT,
]

/** The bytes for the kernel; null on a processor whose calls are not known here. */
export function compileCallFilter(processor: string): Uint8Array | null {
  const known = PROCESSORS.get(processor)
  return known === undefined ? null : encodeProgram(instructions(known))
}

function instructions({ architecture, foreignFrom, calls }: Processor): Instruction[] {
  // A call that is not numbered is unknown on this processor. Each of these ends with an answer, so the number stays loaded.
  const on = (name: CallName, then: readonly Instruction[]): Instruction[] => {
    const number = calls[name]
    return number === null ? [] : ifEqual(number, then)
  }
  return [
    load(ARCHITECTURE),
    // Numbers mean other calls there.
    ...unlessEqual(architecture, KILL),
    load(NUMBER),
    ...(foreignFrom === null ? [] : ifGreater(foreignFrom - 1, [KILL])),
    ...ifGreater(NEWEST_CALL, [ENOSYS]),
    ...DENIED.flatMap(name => on(name, [EPERM])),
    // Its flags are behind a pointer, which a filter cannot follow; C libraries then use `clone`.
    ...on('clone3', [ENOSYS]),
    ...on('clone', [load(argument(0)), ...ifAnyBit(CLONE_NAMESPACES, [EPERM]), ALLOW]),
    ...on('unshare', [load(argument(0)), ...ifAnyBit(CLONE_NAMESPACES | CLONE_NEWTIME, [EPERM]), ALLOW]),
    ...on('socket', SOCKET_RULES),
    ...on('socketpair', PAIR_RULES),
    // Types into the terminal of whoever started us. The kernel reads the lower half only.
    ...on('ioctl', [load(argument(1)), ...ifEqual(TIOCSTI, [EPERM]), ...ifEqual(TIOCLINUX, [EPERM]), ALLOW]),
    // Memory without a process, and space without a write: what a tool takes could not be counted.
    ...on('memfd_create', [ENOSYS]),
    ...on('memfd_secret', [ENOSYS]),
    ...on('shmget', [
      load(upperHalf(argument(1))),
      ...ifGreater(0, [EPERM]),
      load(argument(1)),
      ...ifGreater(LARGEST_SEGMENT, [EPERM]),
      ALLOW,
    ]),
    ...on('fallocate', [load(argument(1)), ...ifAnyBit(FALLOC_FREES_SPACE, [ALLOW]), EOPNOTSUPP]),
    ALLOW,
  ]
}

function unlessEqual(value: number, otherwise: Instruction): Instruction[] {
  const [test] = ifEqual(value, [])
  return [{ ...test!, jumpTrue: 1, jumpFalse: 0 }, otherwise]
}
