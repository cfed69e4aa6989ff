// Which system calls a sandboxed tool may make, as a filter for the kernel. It denies what no tool needs and
// what would bypass the rest of the sandbox: the memory of other processes, programs inside the kernel, new
// namespaces, Unix sockets, memory that belongs to no process. Everything else is allowed: mounts and missing
// capabilities already limit it.
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
  // Access to other processes. Process 1 of the sandbox is one of them, and stopping it would stop whoever
  // waits for it.
  ...(['ptrace', 'process_vm_readv', 'process_vm_writev', 'process_madvise', 'pidfd_getfd', 'kcmp'] as const),
  ...(['move_pages', 'migrate_pages'] as const),
  // Keys of the user's session.
  ...(['keyctl', 'add_key', 'request_key'] as const),
  // Programs inside the kernel, and ways to stop it in the middle of a call.
  ...(['bpf', 'perf_event_open', 'userfaultfd'] as const),
  // No filter sees the calls that io_uring makes.
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
/**
 * Mount, cgroup, host name, IPC, user, process and network namespaces. The time namespace is for `unshare`
 * only.
 */
const CLONE_NAMESPACES = 0x7e02_0000
const CLONE_NEWTIME = 0x80
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c
const FALLOC_FREES_SPACE = 0x02 | 0x08
/** A kernel keeps 4 096 segments at most, so all of them together take 256 MB at most. */
const LARGEST_SEGMENT = 64 * 1024

/**
 * Allows the loopback, and the routing table, which name lookups ask for. A Unix socket would lead out of the
 * sandbox.
 */
const SOCKET_RULES: readonly Instruction[] = [
  load(argument(0)),
  ...ifEqual(AF_UNIX, [EPERM]),
  ...ifEqual(AF_INET, [ALLOW]),
  ...ifEqual(AF_INET6, [ALLOW]),
  ...ifEqual(AF_NETLINK, [load(argument(2)), ...ifEqual(NETLINK_ROUTE, [ALLOW]), EAFNOSUPPORT]),
  EAFNOSUPPORT,
]

/**
 * Pairs of connected sockets are just pipes. But a pair for datagrams can be connected again, to a Unix
 * socket outside.
 */
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

/** The bytes for the kernel. Null on a processor whose system calls are not known here. */
export function compileCallFilter(processor: string): Uint8Array | null {
  const known = PROCESSORS.get(processor)
  return known === undefined ? null : encodeProgram(instructions(known))
}

function instructions({ architecture, foreignFrom, calls }: Processor): Instruction[] {
  // A call without a number does not exist on this processor. Every `then` ends with an answer, so that the
  // number stays loaded for the next test.
  const on = (name: CallName, then: readonly Instruction[]): Instruction[] => {
    const number = calls[name]
    return number === null ? [] : ifEqual(number, then)
  }
  return [
    load(ARCHITECTURE),
    // On another architecture the numbers mean other calls.
    ...unlessEqual(architecture, KILL),
    load(NUMBER),
    ...(foreignFrom === null ? [] : ifGreater(foreignFrom - 1, [KILL])),
    ...ifGreater(NEWEST_CALL, [ENOSYS]),
    ...DENIED.flatMap(name => on(name, [EPERM])),
    // Its flags are behind a pointer, which a filter cannot follow. C libraries fall back to `clone`.
    ...on('clone3', [ENOSYS]),
    ...on('clone', [load(argument(0)), ...ifAnyBit(CLONE_NAMESPACES, [EPERM]), ALLOW]),
    ...on('unshare', [load(argument(0)), ...ifAnyBit(CLONE_NAMESPACES | CLONE_NEWTIME, [EPERM]), ALLOW]),
    ...on('socket', SOCKET_RULES),
    ...on('socketpair', PAIR_RULES),
    // These type into the terminal of whoever started us. The kernel reads only the lower half of the
    // argument.
    ...on('ioctl', [load(argument(1)), ...ifEqual(TIOCSTI, [EPERM]), ...ifEqual(TIOCLINUX, [EPERM]), ALLOW]),
    // Memory that belongs to no process, and disk space taken without a write: neither could be counted.
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
