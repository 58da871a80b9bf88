import type { FastifyInstance } from 'fastify'
import { readFileSync } from 'node:fs'

const types = {
  'page.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'slot-picker.js': 'text/javascript; charset=utf-8',
  'book.js': 'text/javascript; charset=utf-8',
  'manage.js': 'text/javascript; charset=utf-8',
  'call.js': 'text/javascript; charset=utf-8',
} as const

/** Serves the files of the folder `web`, which are few and are kept in memory. */
export function addAssets(app: FastifyInstance): void {
  for (const [name, type] of Object.entries(types)) {
    const content = readFileSync(new URL(`../../web/${name}`, import.meta.url))
    app.get(`/book/assets/${name}`, async (_request, reply) =>
      reply.headers({ 'content-type': type, 'cache-control': 'public, max-age=300', 'x-content-type-options': 'nosniff' }).send(content),
    )
  }
}
