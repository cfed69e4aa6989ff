// The page of `rye ui`: one script, one style sheet and the icon beside the document, under names that the server knows
// (`src/surfaces/ui/page-files.ts`). Nothing is written into the document, whose policy would not run it.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const pathOf = name => fileURLToPath(new URL(name, import.meta.url))

export default defineConfig({
  root: pathOf('.'),
  publicDir: false,
  logLevel: 'warn',
  build: {
    outDir: pathOf('../dist/page'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { page: pathOf('index.html') },
      output: { entryFileNames: '[name].js', assetFileNames: '[name][extname]', codeSplitting: false },
    },
  },
})
