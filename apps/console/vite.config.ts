import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import compileMessage from 'icu-minify/compile'
import { compression } from 'vite-plugin-compression2'
import { evaluatedDeclarations } from './evaluated-declarations.ts'
import manifest from './package.json' with { type: 'json' }

/** The default address of `npm start`. */
const installation = 'http://localhost:8080'

type Texts = string | { readonly [key: string]: Texts }

/** Compiles the texts when the console is built, so that pages need no parser of ICU messages. */
const compiledTexts: Plugin = {
  name: 'compiled-texts',
  enforce: 'pre',
  transform: {
    filter: { id: /\/texts\/\w+\/[\w-]+\.json$/ },
    handler: (json) => ({ code: JSON.stringify(compiled(JSON.parse(json) as Texts)), map: null }),
  },
}

function compiled(texts: Texts): unknown {
  if (typeof texts === 'string') return compileMessage(texts)
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, compiled(text)]))
}

export default defineConfig({
  root: fileURLToPath(new URL('web', import.meta.url)),
  plugins: [
    react(),
    compiledTexts,
    evaluatedDeclarations,
    compression({ algorithms: ['gzip', 'brotliCompress'], include: /\.(html|js|mjs|css|svg|json|wasm)$/ }),
  ],
  resolve: {
    alias: [
      { find: 'use-intl/format-message', replacement: 'use-intl/format-message/format-only' },
      // The API alone reads words for days; a page only needs the contract's names and types. The calendar uses parts of it.
      { find: /^temporal-polyfill$/, replacement: fileURLToPath(new URL('web/src/base/temporal.ts', import.meta.url)) },
    ],
  },
  build: {
    outDir: fileURLToPath(new URL('dist', import.meta.url)),
    emptyOutDir: true,
    // Such as `chrome123` and `ios17.5`.
    target: manifest.browserslist.map((browser) => browser.replace(' >= ', '').replace('ios_saf', 'ios')),
    // Every browser that runs the rest of the console preloads modules by itself.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // The packages of the first page change rarely, so browsers keep the chunk over releases. All others come with the
            // pages and dialogs that use them.
            { name: 'vendor', test: /node_modules\//, tags: ['$initial'], priority: 3 },
            // Otherwise the first page requests a file for each module that it shares with a later page.
            { name: 'shared', tags: ['$initial'], priority: 1 },
            // A page of a record would otherwise request sixty small files, one for each set of pages with the same modules.
            { name: 'parts', minShareCount: 12 },
          ],
        },
      },
    },
  },
  server: {
    // `npm run dev` names a port, and forwards the hosts of workspaces.
    port: Number(process.env['PORT'] ?? 5173),
    strictPort: process.env['PORT'] !== undefined,
    allowedHosts: true,
    proxy: { '/api': process.env['BASE_URL'] ?? installation },
  },
})
