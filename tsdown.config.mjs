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

// Optional: imported when asked for, and possibly absent. We have no other dependencies, so that what a
// package looks like on a user's machine does not depend on other packages, and a sandbox that shows our
// folder shows the whole program.
const OUTSIDE = ['@lancedb/lancedb', 'apache-arrow']

// Needed only to parse changed items and to call other servers.
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

// Function names are kept: a fault in a server's log must say where it was.
const minify = { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } }

const SOURCE = fileURLToPath(new URL('src/', import.meta.url))
// No source file has import side effects, so a start loads only what it uses of a folder, not everything in
// its index.ts.
const TREESHAKE = { moduleSideEffects: id => !id.startsWith(SOURCE) }

// What a search imports lazily.
const FIRST = [
  `${SOURCE}surfaces/cli/run-command.ts`,
  `${SOURCE}actions/items/search/definition.ts`,
  `${SOURCE}actions/items/search/search-items.ts`,
  // Small libraries are walked in process.
  `${SOURCE}workspace/refresh-index.ts`,
  '@photostructure/sqlite',
]

export default defineConfig([
  {
    ...common,
    // The library, for programs that import the package.
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
    // The command, as CommonJS: just starting Node's ES module loader takes a quarter as long as a bare
    // `node`.
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
    // What the command runs. Only native and optional packages stay external: each package lookup takes a
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
    // A script compiled from a cache cannot call `import()`.
    outputOptions: { dynamicImportInCjs: false },
    // Code shared by two chunks becomes its own chunk. Merged into one of them, the other would have to load
    // it whole.
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
