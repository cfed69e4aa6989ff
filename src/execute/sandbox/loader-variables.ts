// Variables that the system's own loader obeys before a program begins, or that a shell runs code from. Bubblewrap starts outside of the
// sandbox, and programs of ours inside before the tool does, so those of a tool are set last, where they concern the tool alone. Others
// are passed on unseen by lists of processes.

const LOADER = new Set([
  ...[
    'LD_AUDIT',
    'LD_BIND_NOT',
    'LD_BIND_NOW',
    'LD_DEBUG',
    'LD_DEBUG_OUTPUT',
    'LD_DYNAMIC_WEAK',
    'LD_HWCAP_MASK',
  ],
  ...['LD_LIBRARY_PATH', 'LD_ORIGIN_PATH', 'LD_PRELOAD', 'LD_PREFER_MAP_32BIT_EXEC', 'LD_PROFILE'],
  ...[
    'LD_PROFILE_OUTPUT',
    'LD_SHOW_AUXV',
    'LD_TRACE_LOADED_OBJECTS',
    'LD_USE_LOAD_BIAS',
    'LD_VERBOSE',
    'LD_WARN',
  ],
  ...['ENV', 'BASH_ENV', 'PS4'],
  ...['GLIBC_TUNABLES', 'GCONV_PATH', 'LOCPATH', 'NLSPATH', 'MALLOC_TRACE', 'RES_OPTIONS', 'HOSTALIASES'],
])

type Variables = Readonly<Record<string, string>>

export function splitLoaderVariables(env: Variables): {
  readonly outside: Variables
  readonly inside: Variables
} {
  const pick = (isLoader: boolean) =>
    Object.fromEntries(Object.entries(env).filter(([name]) => LOADER.has(name) === isLoader))
  return { outside: pick(false), inside: pick(true) }
}
