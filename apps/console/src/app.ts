import { access } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { noteRefusal } from '@crm/http/observe-requests'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export interface ConsoleAppOptions {
  /** Folder of the built console. */
  readonly distDir: string
}

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // The component library writes its theme into a style element.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const securityHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}

/** Paths of the API in a form that no route knows, such as `//api/leads`: a program asks for them, and a page is no answer to it. */
const apiPath = /^\/+api(?:$|[/?#])/i

const secretPages = /^\/(?:sign-in|invite|reset)(?:[/?#]|$)/

/** Serves the files of the built console; a path without an extension is a page of it and gets index.html. */
export async function consoleApp(app: FastifyInstance, { distDir }: ConsoleAppOptions): Promise<void> {
  app.addHook('onSend', async ({ url }, reply) => {
    reply.headers(securityHeaders)
    // These pages are opened by links with a secret, or lead to another site that signs people in.
    if (secretPages.test(url)) reply.header('referrer-policy', 'no-referrer')
  })
  await app.register(fastifyStatic, {
    root: distDir,
    cacheControl: false,
    // The build writes a compressed file beside each one; a client that accepts no encoding gets the plain file.
    preCompressed: true,
    // Vite names each file in assets after its content, so such a file never changes.
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(distDir, 'assets'))
      void reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.addHook('onRequest', (request, reply, next) =>
    apiPath.test(request.url) ? void nowhere(request, reply) : next(),
  )
  app.setNotFoundHandler(async (request, reply) => {
    const { method, url } = request
    const [path = ''] = url.split('?', 1)
    const namesFile = path.slice(path.lastIndexOf('/')).includes('.')
    const isPage = (method === 'GET' || method === 'HEAD') && !namesFile
    return isPage ? reply.sendFile('index.html') : nowhere(request, reply)
  })
  // The paths that the library refuses lead out of the folder or begin with two slashes.
  app.setErrorHandler((error: FastifyError, request, reply) => {
    if (error.statusCode !== 403) throw error
    return nowhere(request, reply)
  })
}

/** Answers as the API does where it has nothing. */
function nowhere(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  noteRefusal(request, { code: 'NOT_FOUND' })
  return reply.code(404).send({ error: 'There is nothing at this path', code: 'NOT_FOUND' })
}

/** Rejects when the console has not been built. */
export async function checkBuilt(distDir: string): Promise<void> {
  await access(join(distDir, 'index.html'))
}
