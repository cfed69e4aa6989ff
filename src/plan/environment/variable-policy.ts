// Which variables are passed from the caller to a child, and which a project's `.env` may never set. A
// variable that chooses, configures or preloads a program decides what runs, and only signed items and the
// user may decide that.

/** Passed from the caller when set. */
const PASSED: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'TERM',
  // Without these no program starts on Windows, which spells some of them differently.
  'SYSTEMROOT',
  'SystemRoot',
  'COMSPEC',
  'ComSpec',
  'Path',
  'PATHEXT',
  'TEMP',
  'TMP',
  'USERPROFILE',
])

/** Never from `.env`: whole names. */
const DENIED: ReadonlySet<string> = new Set([
  ...PASSED,
  'ENV',
  'IFS',
  'CDPATH',
  'SHELL',
  'SHELLOPTS',
  'GLOBIGNORE',
  'PROMPT_COMMAND',
  'PS4',
  'PAGER',
  'MANPAGER',
  'EDITOR',
  'VISUAL',
  'BROWSER',
  'USER_SPACE',
  'GCONV_PATH',
  'LOCPATH',
  'NLSPATH',
  'HOSTALIASES',
  'CLASSPATH',
  'JAVA_HOME',
  'JAVA_TOOL_OPTIONS',
  'JDK_JAVA_OPTIONS',
  '_JAVA_OPTIONS',
  'OPENSSL_CONF',
  'OPENSSL_MODULES',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'CURL_CA_BUNDLE',
  'REQUESTS_CA_BUNDLE',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'FTP_PROXY',
  'VIRTUAL_ENV',
  'CC',
  'CXX',
  'LD',
  'AR',
  'MAKEFLAGS',
  'GOPATH',
  'GOROOT',
  'GOBIN',
  'GOFLAGS',
  'GOENV',
  'GOPROXY',
  'GOTOOLCHAIN',
  'DOCKER_HOST',
  'KUBECONFIG',
  'RIPGREP_CONFIG_PATH',
  'TAR_OPTIONS',
  'TAPE',
  'RSH',
  'MAKEFILES',
  'MAKE',
  'ANT_OPTS',
  'MAVEN_OPTS',
  'GRADLE_OPTS',
  'JAVA_OPTS',
  'GREP_OPTIONS',
  'LS_OPTIONS',
  'LESS',
  'LESSOPEN',
  'LESSCLOSE',
  'LESSKEY',
  'MORE',
  'GZIP',
  'BZIP2',
  'XZ_OPT',
  'XZ_DEFAULTS',
  'ZSTD_CLEVEL',
  'UNZIP',
  'ZIPOPT',
  'WGETRC',
  'SYSTEM_WGETRC',
  'CURL_HOME',
  'NETRC',
  'INPUTRC',
  'TERMINFO',
  'TERMINFO_DIRS',
  'TERMCAP',
  'MAILCAPS',
  'VIMINIT',
  'EXINIT',
  'EMACSLOADPATH',
  'RES_OPTIONS',
  'LOCALDOMAIN',
  'KRB5_CONFIG',
  'PGSERVICEFILE',
  'PGSYSCONFDIR',
  'PSQLRC',
  'MYSQL_HOME',
  'ODBCINI',
])

/** Never from `.env`: names with these prefixes. */
const DENIED_PREFIXES: readonly string[] = [
  'RYE_',
  // Parameters of the call: the project must not fill in what the caller left out.
  'PARAM_',
  'LD_',
  'DYLD_',
  'LC_',
  'NODE_',
  'NPM_CONFIG_',
  'PYTHON',
  'PIP_',
  'UV_',
  'CONDA_',
  'BASH_',
  'ZDOTDIR',
  'PERL',
  'RUBY',
  'GEM_',
  'BUNDLE_',
  'LUA_',
  'PHP',
  'GIT_',
  'SSH_',
  'XDG_',
  'GLIBC_',
  'MALLOC_',
  'CARGO_',
  'RUSTC',
  'RUSTFLAGS',
  'RUSTUP_',
  'DOTNET_',
  'COMPLUS_',
  'CORECLR_',
  'DENO_',
  'BUN_',
  'TSX_',
  'ASDF_',
  'NVM_',
  'PYENV_',
  'RBENV_',
  'MISE_',
  'RSYNC_',
  'FZF_',
  'HG',
  'SVN_',
  'YARN_',
  'PNPM_',
  'COREPACK_',
  'ELECTRON_',
  'OPENSSL_',
  'MAKE_',
  'CMAKE_',
  'CCACHE_',
  'DISTCC_',
  'LIBGL_',
  'GTK_',
  'GIO_',
  'QT_',
  'R_',
]

/**
 * These don't decide what runs, although `.env` may not set them: they say how something is printed, or who
 * does it.
 */
const HARMLESS: ReadonlySet<string> = new Set([
  ...['LANG', 'LANGUAGE', 'TZ', 'TERM', 'USER', 'LOGNAME'],
  ...['PYTHONUNBUFFERED', 'PYTHONDONTWRITEBYTECODE', 'PYTHONUTF8', 'PYTHONIOENCODING', 'PYTHONHASHSEED'],
  ...['PYTHONFAULTHANDLER', 'PYTHONNOUSERSITE', 'PYTHONSAFEPATH', 'PERL_UNICODE'],
  ...['NODE_NO_WARNINGS', 'NODE_DISABLE_COLORS', 'PIP_NO_INPUT', 'PIP_DISABLE_PIP_VERSION_CHECK'],
  ...['GIT_TERMINAL_PROMPT', 'GIT_OPTIONAL_LOCKS', 'GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_AUTHOR_DATE'],
  ...['GIT_COMMITTER_NAME', 'GIT_COMMITTER_EMAIL', 'GIT_COMMITTER_DATE'],
])
const HARMLESS_PREFIXES: readonly string[] = ['LC_', 'PARAM_']

export function isVariableName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name)
}

export function mayPassToChild(name: string): boolean {
  return PASSED.has(name) || (name.startsWith('LC_') && isVariableName(name))
}

/** No tool gets our own variables; the signing key is one of them. */
export function mayBeSecret(name: string): boolean {
  return isVariableName(name) && !name.toUpperCase().startsWith('RYE_')
}

export function mayComeFromDotenv(name: string): boolean {
  const upper = name.toUpperCase()
  if (upper === 'NODE_ENV') return true // a mode, common in such files; every other NODE_ name configures Node itself
  const isDenied = DENIED.has(upper) || DENIED_PREFIXES.some(prefix => upper.startsWith(prefix))
  return isVariableName(name) && !isDenied
}

/** Whether its value chooses, configures or preloads a program. */
export function decidesWhatRuns(name: string): boolean {
  if (mayComeFromDotenv(name)) return false
  return !HARMLESS.has(name) && !HARMLESS_PREFIXES.some(prefix => name.startsWith(prefix))
}

/**
 * The names in `${NAME}` marks of some texts, each once, except those that every child has anyway. A mark
 * with a default does not count.
 */
export function namedVariables(texts: readonly string[]): string[] {
  const names = texts.flatMap(text =>
    Array.from(text.matchAll(/\$\{([A-Za-z_]\w{0,127})\}/g), ([, name]) => name!),
  )
  return [...new Set(names)].filter(name => !mayPassToChild(name)).sort()
}
