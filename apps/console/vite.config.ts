import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'
import { compiledTexts } from './compiled-texts.ts'
import { evaluatedDeclarations } from './evaluated-declarations.ts'
import manifest from './package.json' with { type: 'json' }

/** The default address of `npm start`. */
const installation = 'http://localhost:8080'

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
            // The texts of a feature are no part of others: whatever is in one file with them waits for them.
            { name: 'parts', minShareCount: 12, test: (id) => !id.endsWith('/texts.ts') },
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
