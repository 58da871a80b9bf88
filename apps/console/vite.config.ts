import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `npm start` listens unless told otherwise. */
const installation = 'http://localhost:8080'

export default defineConfig({
  root: fileURLToPath(new URL('web', import.meta.url)),
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL('dist', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    // Every browser that runs the rest of the console preloads modules by itself.
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': installation } },
})
