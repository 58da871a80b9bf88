import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'

/** The default address of `npm start`. */
const installation = 'http://localhost:8080'

export default defineConfig({
  root: fileURLToPath(new URL('web', import.meta.url)),
  plugins: [
    react(),
    compression({ algorithms: ['gzip', 'brotliCompress'], include: /\.(html|js|mjs|css|svg|json|wasm)$/ }),
  ],
  build: {
    outDir: fileURLToPath(new URL('dist', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    // Every browser that runs the rest of the console preloads modules by itself.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // The packages of the first page change rarely, so browsers keep the chunk over releases. All others come with the
            // pages and dialogs that use them.
            { name: 'vendor', test: /node_modules\//, tags: ['$initial'], priority: 2 },
            // All of these form one chunk, in the order of imports: the setting for schemas must run before the first
            // schema is made.
            {
              name: 'contract',
              test: /schemas-without-eval|packages\/(?:errors|permissions|contract|client)\//,
              priority: 1,
            },
            // Otherwise the first page requests a file for each module that it shares with a later page.
            { name: 'shared', tags: ['$initial'] },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': installation } },
})
