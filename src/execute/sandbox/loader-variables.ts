// Variables that the system's loader obeys before a program begins, or that make a shell run code. Bubblewrap
// starts outside the sandbox, and programs of ours start inside before the tool does. So a tool's values for
// these are set last, where they affect only the tool. All others are passed in the environment, which lists
// of processes do not show.

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
