import { fileURLToPath } from 'node:url'
import { defineConfig } from 'tsdown'
import { lateSchemas } from './scripts/late-schemas.mjs'
import { packProgram } from './scripts/pack-program.mjs'
import { plainExports } from './scripts/plain-exports.mjs'

const TYPESCRIPT = fileURLToPath(new URL('node_modules/.bin/tsc', import.meta.url))

const common = {
  platform: 'node',
  target: 'node20.19',
  inlineOnly: false,
  checks: { pluginTimings: false, legacyCjs: false },
}

const alias = {
  'node-gyp-build': fileURLToPath(new URL('src/program/sqlite-binding.ts', import.meta.url)),
}

// Optional: imported when asked for, and it may not be there. Nothing else is installed beside us: what a package looks like on
// the machine of a user does not depend on others, and a sandbox that shows our folder shows all of the program.
const OUTSIDE = ['@lancedb/lancedb', 'apache-arrow']

// For parsing what was changed, and for calling other servers.
const APART = [
  ...['py-ast', 'js-yaml', '@rgrove/parse-xml', '@babel/parser'],
  ...[
    '@modelcontextprotocol/client',
    'jose',
    'cross-spawn',
    'eventsource',
    'eventsource-parser',
    'pkce-challenge',
  ],
  ...['which', 'isexe', 'path-key', 'shebang-command', 'shebang-regex'],
]

// Names of functions stay: a fault in the log of a server must say where it was.
const minify = { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } }

const SOURCE = fileURLToPath(new URL('src/', import.meta.url))
// No file of ours does anything by being imported, so a start loads what it uses of a folder, not all that its index names.
const TREESHAKE = { moduleSideEffects: id => !id.startsWith(SOURCE) }

// What a search imports late.
const FIRST = [
  `${SOURCE}surfaces/cli/run-command.ts`,
  `${SOURCE}actions/items/search/definition.ts`,
  `${SOURCE}actions/items/search/search-items.ts`,
  // A small library is walked.
  `${SOURCE}workspace/refresh-index.ts`,
  '@photostructure/sqlite',
]

export default defineConfig([
  {
    ...common,
    // The library, for whoever imports the package.
    entry: { index: 'src/index.ts' },
    format: 'esm',
    dts: { tsgo: { path: TYPESCRIPT } },
    clean: true,
    outExtensions: () => ({ js: '.mjs', dts: '.d.mts' }),
    minify,
    external: OUTSIDE,
    noExternal: name => !OUTSIDE.includes(name),
    alias,
  },
  {
    ...common,
    // The command, as CommonJS: starting Node's loader of ES modules alone takes a quarter of what a bare `node` takes.
    entry: { rye: 'src/program/rye.ts' },
    format: 'cjs',
    dts: false,
    clean: false,
    minify,
    hash: false,
    treeshake: TREESHAKE,
    outExtensions: () => ({ js: '.cjs' }),
  },
  {
    ...common,
    // What the command runs. Only what is native or optional is left outside: each package that is looked up takes a
    // millisecond or two.
    entry: { program: 'src/program/program.ts' },
    format: 'cjs',
    dts: false,
    clean: false,
    minify,
    treeshake: TREESHAKE,
    external: OUTSIDE,
    noExternal: name => !OUTSIDE.includes(name),
    alias: {
      ...alias,
      '@modelcontextprotocol/server/_shims': fileURLToPath(
        new URL('src/program/sdk-shims.ts', import.meta.url),
      ),
    },
    // A script that was compiled from a cache cannot call `import()`.
    outputOptions: { dynamicImportInCjs: false },
    // What two chunks share is a chunk of its own, never a part of one of them that the other would have to load whole.
    inputOptions: { experimental: { chunkOptimization: false } },
    plugins: [
      lateSchemas(),
      plainExports(),
      packProgram({
        fileName: 'program.cjs',
        restName: 'program-rest.cjs',
        licences: 'third-party-licenses.txt',
        apart: APART,
        first: FIRST,
      }),
    ],
    outExtensions: () => ({ js: '.cjs' }),
  },
])
