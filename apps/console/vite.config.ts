import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression } from 'vite-plugin-compression2'

/** Where `npm start` listens unless told otherwise. */
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
            // Changes rarely, so browsers keep it over releases; the reader of PDFs comes when one is opened.
            { name: 'vendor', test: /node_modules\/(?!pdfjs-dist|cmdk|@radix-ui)/, priority: 2 },
            // One chunk, in the order of imports: how schemas are made is settled before the first one is made.
            {
              name: 'contract',
              test: /schemas-without-eval|packages\/(?:errors|permissions|contract|client)\//,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': installation } },
})
