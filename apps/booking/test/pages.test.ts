import { schema } from '@crm/db'
import { eq } from 'drizzle-orm'
import { readFileSync } from 'node:fs'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createCallProvider } from '../src/rooms/call-provider.ts'
import { berlin, bookingUnderTest, guest, mondayMorning, send } from './booking-under-test.ts'

const service = await bookingUnderTest()
const { call, link, workspace, db, clock } = service
const tuesday = '2026-06-02'

const strict = {
  'content-type': 'text/html; charset=utf-8',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'content-security-policy': expect.stringContaining("default-src 'none'; script-src 'self'"),
}

async function booked() {
  const { slug } = await link({ organizerId: (await workspace.employee()).id, name: '<b>Intro</b>' })
  const { body } = await call({ method: 'POST', path: slug, body: guest(berlin(tuesday, 9)) })
  return { slug, token: body.data.manageToken as string, callPath: new URL(body.data.joinUrl as string).pathname }
}

/** Looks at something with the clock set to another time. */
async function at<T>(instant: string, look: () => Promise<T>): Promise<T> {
  const byMs = Date.parse(instant) - Date.parse(mondayMorning)
  clock.advance(byMs)
  try {
    return await look()
  } finally {
    clock.advance(-byMs)
  }
}

describe('/book/<slug>', () => {
  it('is a page in the workspace’s language with strict headers, and escapes what it shows', async () => {
    const german = await service.newWorkspace()
    await db.update(schema.workspaces).set({ locale: 'de-AT' }).where(eq(schema.workspaces.id, german.workspaceId))
    await service.epochs.bump(german.workspaceId)
    const { slug } = await link({ name: '<b>Intro</b>', description: '</script><script>alert(1)</script>' }, german)
    const answer = await call({ path: `/book/${slug}` }, german)
    expect(answer).toMatchObject({ status: 200, headers: strict })
    expect(answer.body).toContain('<html lang="de">')
    expect(answer.body).toContain('&lt;b&gt;Intro&lt;/b&gt;')
    expect(answer.body).not.toContain('alert(1)</script>')
  })

  it('is a 404 page when there is no such link', async () => {
    expect(await call({ path: '/book/nothing-here' })).toMatchObject({
      status: 404,
      headers: strict,
      body: expect.stringContaining('Page not found'),
    })
  })

  it('names only files that are there', async () => {
    const { slug, token, callPath } = await booked()
    for (const path of [`/book/${slug}`, `/book/manage/${token}`, callPath]) {
      const { body } = await call({ path })
      const files = [...String(body).matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file]) => file as string)
      expect(files.length).toBeGreaterThanOrEqual(2)
      for (const file of files) expect((await call({ path: file })).status, file).toBe(200)
    }
    for (const script of ['book.js', 'manage.js', 'slot-picker.js', 'booking-flow.js', 'guest-form.js', 'call.js']) {
      const { body } = await call({ path: `/book/assets/${script}` })
      for (const [, file] of String(body).matchAll(/from '\.\/([^']+)'/g))
        expect((await call({ path: `/book/assets/${file}` })).status).toBe(200)
    }
  })
})

it.each(['/book/no/such/page', '/call/no/such/page', '/book/assets/none.js'])('%s is a 404 page', async (path) => {
  expect(await call({ path })).toMatchObject({ status: 404, headers: strict })
})

describe('/book/manage/<token>', () => {
  it('is a page that tells its address to nobody', async () => {
    const { token } = await booked()
    expect(await call({ path: `/book/manage/${token}` })).toMatchObject({
      status: 200,
      headers: { ...strict, 'x-robots-tag': 'noindex' },
    })
  })
})

describe('while Sales is off', () => {
  it('there is no page to book on; what a guest has can still be seen, moved into a calendar, joined and cancelled', async () => {
    const { off, slug, token, callPath } = await bookedThenOff()
    expect(await call({ path: `/book/${slug}` }, off)).toMatchObject({
      status: 404,
      headers: strict,
      body: expect.stringContaining('Page not found'),
    })
    expect(await call({ path: `/book/manage/${token}` }, off)).toMatchObject({ status: 200, headers: strict })
    expect(await call({ path: `/book/manage/${token}.ics` }, off)).toMatchObject({
      status: 200,
      body: expect.stringContaining('STATUS:CONFIRMED'),
    })
    expect((await at(berlin(tuesday, 9), () => call({ path: callPath }, off))).body).toContain('"hasRoom":true')
    expect(await call({ path: `manage/${token}` }, off)).toMatchObject({
      status: 200,
      body: { data: { status: 'CONFIRMED' } },
    })
    expect(
      await call(
        { method: 'POST', path: `manage/${token}/reschedule`, body: { newStartAt: berlin(tuesday, 11) } },
        off,
      ),
    ).toMatchObject({ status: 404, body: { success: false, error: { code: 'MODULE_DISABLED' } } })
    expect(await call({ method: 'POST', path: `manage/${token}/cancel` }, off)).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect((await call({ path: `/book/manage/${token}.ics` }, off)).body).toContain('STATUS:CANCELLED')
  })

  async function bookedThenOff() {
    const off = await service.newWorkspace()
    const { slug } = await link({}, off)
    const { body } = await call({ method: 'POST', path: slug, body: guest(berlin(tuesday, 9)) }, off)
    await db
      .insert(schema.workspaceModules)
      .values({ workspaceId: off.workspaceId, key: 'SALES', enabled: false, reason: 'self' })
    await service.epochs.bump(off.workspaceId)
    return {
      off,
      slug,
      token: body.data.manageToken as string,
      callPath: new URL(body.data.joinUrl as string).pathname,
    }
  }
})

describe('what a browser loads', () => {
  /** Returns the bytes of a script on the wire, with all of its imports. */
  async function scriptBytes(path: string, seen = new Set<string>()): Promise<number> {
    if (seen.has(path)) return 0
    seen.add(path)
    const answer = await service.app.inject({ url: path, headers: { host: workspace.host, 'accept-encoding': 'gzip' } })
    expect(answer, path).toMatchObject({ statusCode: 200, headers: { 'content-encoding': 'gzip' } })
    const imported = [
      ...gunzipSync(answer.rawPayload)
        .toString()
        .matchAll(/(?:from|import) *\(?'(\.[^']+)'/g),
    ].map(([, file]) => new URL(file as string, `http://x${path}`).pathname)
    let bytes = answer.rawPayload.length
    for (const file of imported) bytes += await scriptBytes(file, seen)
    return bytes
  }

  it('is at most 90 KB of script for a page, compressed', async () => {
    const { slug, token, callPath } = await booked()
    for (const path of [`/book/${slug}`, `/book/manage/${token}`, callPath]) {
      const scripts = [...String((await call({ path })).body).matchAll(/<script[^>]* src="([^"]+)"/g)].map(
        ([, script]) => script as string,
      )
      expect(scripts).toHaveLength(1)
      expect(await scriptBytes(scripts[0] as string)).toBeLessThanOrEqual(90 * 1024)
    }
  })

  it('is one file of at most 12 KB for the widget, as it is built', () => {
    const built = readFileSync(new URL('../bundle/embed.js', import.meta.url))
    expect(brotliCompressSync(built).length).toBeLessThanOrEqual(12 * 1024)
    expect(built.toString()).not.toMatch(/\bimport\b(?!\.meta)|sourceMappingURL/)
  })

  it('is compressed once, in the best way that a browser takes', async () => {
    const codingFor = async (accepted: string) => {
      const headers = { host: workspace.host, 'accept-encoding': accepted }
      const { headers: answered, rawPayload } = await service.app.inject({ url: '/book/assets/ui.js', headers })
      const coding = answered['content-encoding']
      const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[String(coding)]
      expect((unpack?.(rawPayload) ?? rawPayload).toString()).toContain('export ')
      expect(answered.vary).toBe('accept-encoding')
      return coding
    }
    for (const [accepted, coding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['BR;q=0.5', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip;q=1.0', 'gzip'],
      ['brx, gzip; q=0', undefined],
      ['identity', undefined],
    ] as const)
      expect(await codingFor(accepted), accepted).toBe(coding)
  })
})

describe('the language of a page', () => {
  async function bookedIn(locale: string) {
    const { slug } = await link({ organizerId: (await workspace.employee()).id })
    const { body } = await call({ method: 'POST', path: slug, body: guest(berlin(tuesday, 9), { locale }) })
    return { manage: `/book/manage/${body.data.manageToken}`, callPath: new URL(body.data.joinUrl as string).pathname }
  }

  it('is the one the guest has booked in, where a booking is managed, unless another is chosen', async () => {
    const { manage } = await bookedIn('fr-CA')
    expect((await call({ path: manage })).body).toContain('<html lang="fr">')
    expect((await call({ path: `${manage}?lang=ru` })).body).toContain('<html lang="ru">')
    expect((await call({ path: (await bookedIn('pt')).manage })).body).toContain('<html lang="en">')
    expect((await call({ path: '/book/manage/nobody' })).body).toContain('<html lang="en">')
  })

  it('is that of the browser in the call, where guest and organizer come by the same address', async () => {
    const { callPath } = await bookedIn('fr')
    const languageFor = async (accepted: string) =>
      /lang="(\w+)"/.exec(
        (await call({ path: callPath, headers: { 'accept-language': accepted } })).body as string,
      )?.[1]
    expect(await languageFor('pt-BR, es;q=0.8, de;q=0.5')).toBe('es')
    expect(await languageFor('*')).toBe('en')
    expect((await call({ path: callPath })).body).toContain('<html lang="en">')
  })
})

describe('/call/<token>', () => {
  it('opens 15 minutes before the start and closes two hours after the end', async () => {
    const { callPath } = await booked()
    const provider = createCallProvider('jitsi', {
      rooms: service.rooms,
      jitsi: { baseUrl: 'https://meet.acme.test/' },
    })
    const app = service.instance({ callProvider: provider })
    const look = (instant: string) =>
      at(instant, async () => (await send(app, workspace, { path: callPath })).body as string)
    expect(await look(berlin(tuesday, 8, 44))).toContain(`The room opens: <time datetime="${berlin(tuesday, 8, 45)}">`)
    expect(await look(berlin(tuesday, 8, 45))).toMatch(/href="https:\/\/meet\.acme\.test\/[0-9a-f-]{36}"/)
    expect(await look(berlin(tuesday, 11, 30))).toContain('Enter the video call')
    expect(await look(berlin(tuesday, 11, 31))).toContain('This meeting is over.')
  })

  it('stays the same after a move, and is closed by a cancellation', async () => {
    const { callPath, token } = await booked()
    await call({ method: 'POST', path: `manage/${token}/reschedule`, body: { newStartAt: berlin(tuesday, 14) } })
    expect((await call({ path: callPath })).body).toContain(`datetime="${berlin(tuesday, 13, 45)}"`)
    await call({ method: 'POST', path: `manage/${token}/cancel` })
    const cancelled = await at(berlin(tuesday, 14), () => call({ path: callPath }))
    expect(cancelled).toMatchObject({
      status: 200,
      headers: strict,
      body: expect.stringContaining('Meeting cancelled'),
    })
  })

  it('is a 404 page for a wrong token', async () => {
    expect((await call({ path: '/call/wrong' })).status).toBe(404)
  })
})
