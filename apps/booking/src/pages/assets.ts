import { mailLanguages } from '@crm/mail'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { timeZones } from './time-zones.ts'
import { pageTexts } from './page-texts.ts'

const files = [
  'page.css',
  'call.css',
  'ui.js',
  'slot-picker.js',
  'slot-state.js',
  'slot-views.js',
  'booking-flow.js',
  'free-slots.js',
  'guest-form.js',
  'meeting.js',
  'steps.js',
  'time-zones.js',
  'book.js',
  'manage.js',
  'call.js',
  'call-room.js',
  'embed.js',
] as const
const types = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
} as const

/** Any website may load the widget and its parts. */
const headers = {
  'cache-control': 'public, max-age=300',
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  vary: 'accept-encoding',
}

/** Serves the files of the folder `web` and the texts of the pages, which are few and are kept in memory. */
export function addAssets(app: FastifyInstance): void {
  for (const name of files) addFile(app, `/book/assets/${name}`, readWeb(name))
  const senders = new Map(
    mailLanguages.map((language) => [language, fileSender(Buffer.from(JSON.stringify(pageTexts(language))), 'json')]),
  )
  app.get('/book/assets/texts/:locale.json', (request, reply) => {
    const { locale } = request.params as { readonly locale: string }
    return senders.get(pageTexts(locale).language)?.(request, reply)
  })
  addFile(app, '/book/assets/zones.json', Buffer.from(JSON.stringify(timeZones())))
  addFile(app, '/book/embed.js', readWidget())
}

function readWeb(name: string): Buffer {
  return readBuilt(name) ?? readFileSync(new URL(`../../web/${name}`, import.meta.url))
}

function readWidget(): Buffer {
  return readBuilt('embed.js') ?? Buffer.from("import './assets/embed.js'\n")
}

/** Reads a script as the build puts it beside the process, with all its parts in one file; a process that runs from its sources has it as modules. */
function readBuilt(name: string): Buffer | undefined {
  const path = join(import.meta.dirname, name)
  return existsSync(path) ? readFileSync(path) : undefined
}

function addFile(app: FastifyInstance, path: string, content: Buffer): void {
  app.get(path, fileSender(content, path.slice(path.lastIndexOf('.') + 1) as keyof typeof types))
}

type Sender = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

function fileSender(content: Buffer, type: keyof typeof types): Sender {
  // Once for all requests, so as small as it can be.
  const packed = [['br', brotliCompressSync(content)] as const, ['gzip', gzipSync(content, { level: 9 })] as const]
  return ({ headers: { 'accept-encoding': accepted = '' } }, reply) => {
    void reply.headers(headers).header('content-type', types[type])
    const [coding, bytes] = packed.find(([name]) => isAccepted(name, accepted)) ?? []
    return coding ? reply.header('content-encoding', coding).send(bytes) : reply.send(content)
  }
}

function isAccepted(coding: string, accepted: string): boolean {
  const [, quality = '1'] = new RegExp(`(?:^|,)\\s*${coding}\\s*(?:;\\s*q=([\\d.]+)\\s*)?(?:,|$)`, 'i').exec(
    accepted,
  ) ?? [null, '0']
  return Number(quality) > 0
}
