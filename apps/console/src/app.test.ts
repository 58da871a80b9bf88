import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { checkBuilt, consoleApp } from './app.ts'

const distDir = mkdtempSync(join(tmpdir(), 'crm-console-'))
mkdirSync(join(distDir, 'assets'))
writeFileSync(join(distDir, 'index.html'), '<!doctype html><title>CRM</title>')
writeFileSync(join(distDir, 'assets', 'index-4f2a.js'), 'export {}')

for (const file of ['index.html', 'assets/index-4f2a.js'])
  for (const [ending, compress] of [
    ['br', brotliCompressSync],
    ['gz', gzipSync],
  ] as const)
    writeFileSync(join(distDir, `${file}.${ending}`), compress(readFileSync(join(distDir, file))))

const app = Fastify()
await app.register(consoleApp, { distDir })
afterAll(async () => {
  await app.close()
  rmSync(distDir, { recursive: true })
})

it.each(['/', '/leads', '/leads/42?tab=notes.all', '/settings/'])('gives the page for %s', async (url) => {
  const reply = await app.inject(url)
  expect(reply.statusCode).toBe(200)
  expect(reply.headers).toMatchObject({
    'content-type': expect.stringContaining('text/html'),
    'cache-control': 'no-cache',
  })
})

it('lets a browser keep what is named after its content', async () => {
  const reply = await app.inject('/assets/index-4f2a.js')
  expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable')
})

it.each([
  ['gzip, br', 'br'],
  ['gzip', 'gzip'],
  ['identity', undefined],
])('answers who takes %s with the encoding %s', async (accepted, encoding) => {
  for (const url of ['/assets/index-4f2a.js', '/leads']) {
    const { headers } = await app.inject({ url, headers: { 'accept-encoding': accepted } })
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers['vary']).toMatch(/accept-encoding/i)
  }
})

it.each(['/assets/gone.js', '/favicon.ico', '/../package.json'])('answers 404 for %s', async (url) => {
  expect((await app.inject(url)).statusCode).toBe(404)
})

it.each(['//api/leads', '///api/leads?page=1', '/api', '/api?x=/leads', '/API/leads', '//api', '//leads'])(
  'answers %s as the API answers an unknown path',
  async (url) => {
    const { statusCode, body } = await app.inject({ url, headers: { accept: 'text/html' } })
    expect([statusCode, JSON.parse(body)]).toEqual([404, { error: 'There is nothing at this path', code: 'NOT_FOUND' }])
  },
)

it.each(['/apis', '/leads/api/x'])('still gives the page for %s', async (url) => {
  expect((await app.inject(url)).statusCode).toBe(200)
})

it('refuses to be written to', async () => {
  expect((await app.inject({ method: 'POST', url: '/leads' })).statusCode).toBe(404)
})

it.each(['/', '/nothing.png'])('forbids scripts from elsewhere and framing on %s', async (url) => {
  const { headers } = await app.inject(url)
  expect(headers['content-security-policy']).toContain("script-src 'self';")
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(headers['x-content-type-options']).toBe('nosniff')
})

it('is not ready before it was built', async () => {
  await checkBuilt(distDir)
  await expect(checkBuilt(join(distDir, 'nowhere'))).rejects.toThrow('ENOENT')
})

it('lets no page that a secret link opens tell another site its address', async () => {
  const policyOf = async (url: string) => (await app.inject(url)).headers['referrer-policy']
  for (const path of ['/sign-in', '/sign-in?next=/leads', '/invite', '/reset'])
    expect(await policyOf(path), path).toBe('no-referrer')
  for (const path of ['/', '/leads', '/signing-in', '/resets']) expect(await policyOf(path), path).toBe('same-origin')
})
