// The numbers of the system calls that a filter names, for each processor. Once assigned they never change.

export interface Processor {
  /** `AUDIT_ARCH_...`: what the kernel reports for a native call of this processor. */
  readonly architecture: number
  /** Numbers from here on belong to another calling convention of the same processor. Null if it has none. */
  readonly foreignFrom: number | null
  readonly calls: Readonly<Record<CallName, number | null>>
}

/** Calls with greater numbers are newer than this table. From 424 on, all processors use the same numbers. */
export const NEWEST_CALL = 470

const COMMON = {
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  clone3: 435,
  pidfd_getfd: 438,
  process_madvise: 440,
  mount_setattr: 442,
  quotactl_fd: 443,
  memfd_secret: 447,
  open_tree_attr: 467,
}

const X86_64 = {
  ...COMMON,
  ioctl: 16,
  shmget: 29,
  socket: 41,
  socketpair: 53,
  clone: 56,
  ptrace: 101,
  syslog: 103,
  vhangup: 153,
  pivot_root: 155,
  chroot: 161,
  acct: 163,
  mount: 165,
  umount2: 166,
  swapon: 167,
  swapoff: 168,
  reboot: 169,
  iopl: 172,
  ioperm: 173,
  init_module: 175,
  delete_module: 176,
  quotactl: 179,
  lookup_dcookie: 212,
  kexec_load: 246,
  add_key: 248,
  request_key: 249,
  keyctl: 250,
  migrate_pages: 256,
  unshare: 272,
  move_pages: 279,
  fallocate: 285,
  perf_event_open: 298,
  open_by_handle_at: 304,
  setns: 308,
  process_vm_readv: 310,
  process_vm_writev: 311,
  kcmp: 312,
  finit_module: 313,
  memfd_create: 319,
  kexec_file_load: 320,
  bpf: 321,
  userfaultfd: 323,
}

export type CallName = keyof typeof X86_64

const ARM_64: Record<CallName, number | null> = {
  ...COMMON,
  lookup_dcookie: 18,
  ioctl: 29,
  umount2: 39,
  mount: 40,
  pivot_root: 41,
  fallocate: 47,
  chroot: 51,
  vhangup: 58,
  quotactl: 60,
  acct: 89,
  unshare: 97,
  kexec_load: 104,
  init_module: 105,
  delete_module: 106,
  syslog: 116,
  ptrace: 117,
  reboot: 142,
  shmget: 194,
  socket: 198,
  socketpair: 199,
  add_key: 217,
  request_key: 218,
  keyctl: 219,
  clone: 220,
  swapon: 224,
  swapoff: 225,
  migrate_pages: 238,
  move_pages: 239,
  perf_event_open: 241,
  open_by_handle_at: 265,
  setns: 268,
  process_vm_readv: 270,
  process_vm_writev: 271,
  kcmp: 272,
  finit_module: 273,
  memfd_create: 279,
  bpf: 280,
  userfaultfd: 282,
  kexec_file_load: 294,
  iopl: null,
  ioperm: null,
}

/** By Node's name for the processor. */
export const PROCESSORS: ReadonlyMap<string, Processor> = new Map([
  ['x64', { architecture: 0xc000_003e, foreignFrom: 0x4000_0000, calls: X86_64 }],
  ['arm64', { architecture: 0xc000_00b7, foreignFrom: null, calls: ARM_64 }],
])
