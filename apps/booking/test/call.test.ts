import { schema } from '@crm/db'
import { connectRedis } from '@crm/redis'
import { systemClock } from '@crm/runtime'
import { launchBrowser } from '@crm/testkit'
import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { createHmac } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createCallProvider } from '../src/rooms/call-provider.ts'
import { iceServersFor } from '../src/rooms/ice-servers.ts'
import { createRoomBus } from '../src/rooms/room-bus.ts'
import { createSeats } from '../src/call/seats.ts'
import { bookingUnderTest, guest } from './booking-under-test.ts'

// The only workspace of an installation owns every host, including the loopback address of the browser.
const service = await bookingUnderTest({ clock: systemClock })
const { db } = service

async function listen(app: FastifyInstance): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

/** Starts an instance that acts as a second process: only Redis connects its rooms with those of the first. */
async function otherProcess(): Promise<FastifyInstance> {
  const redis = await connectRedis(service.redisUrl, { role: 'test' })
  return service.instance({ redis, rooms: createRoomBus(redis) })
}

const one = await listen(service.app)
const other = await listen(await otherProcess())
const browser = await launchBrowser({
  args: [
    '--use-fake-device-for-media-stream=device-count=3',
    '--use-fake-ui-for-media-stream',
    '--allow-loopback-in-peer-connection',
    '--disable-features=WebRtcHideLocalIpsWithMdns',
  ],
})

type Page = Awaited<ReturnType<typeof browser.newPage>>

/** Makes a booking whose meeting has just begun. */
async function bookedNow(): Promise<{ path: string; manageToken: string; bookingId: string }> {
  const always = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '00:00', end: '24:00' }))
  const { slug } = await service.link({
    timezone: 'UTC',
    weeklyHours: always,
    organizerId: (await service.workspace.employee()).id,
  })
  const { body } = await service.call({
    method: 'POST',
    path: slug,
    body: guest(`${new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)}T10:00:00Z`),
  })
  const { bookingId, manageToken, joinUrl } = body.data
  await move(bookingId, 0)
  return { bookingId, manageToken, path: new URL(joinUrl as string).pathname }
}

/** Moves a meeting of half an hour so that it begins `inMin` minutes from now. */
async function move(bookingId: string, inMin: number): Promise<void> {
  const startMs = Date.now() + inMin * 60_000
  await db
    .update(schema.bookings)
    .set({ startAt: new Date(startMs).toISOString(), endAt: new Date(startMs + 1_800_000).toISOString() })
    .where(eq(schema.bookings.id, bookingId))
}

async function openCall(url: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  page.setDefaultTimeout(15_000)
  await page.goto(url)
  return page
}

async function enter(url: string): Promise<Page> {
  const page = await openCall(url)
  await page.getByRole('button', { name: 'Join the call' }).click()
  await page.getByRole('button', { name: 'Leave' }).waitFor()
  return page
}

const said = (page: Page) => page.getByRole('status').textContent()

/** Returns a few pixels of the other's picture, as one string; the fake camera's picture always moves. */
const remotePicture = (page: Page) =>
  page.evaluate(`(() => {
    const video = document.querySelector('video.remote')
    if (!video.videoWidth) return ''
    const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 48 })
    const context = canvas.getContext('2d')
    context.drawImage(video, 0, 0, 64, 48)
    return context.getImageData(0, 0, 64, 48).data.join()
  })()`) as Promise<string>

async function seesMovement(page: Page): Promise<void> {
  const pictures = new Set<string>()
  await expect
    .poll(async () => pictures.add(await remotePicture(page)).delete('') || pictures.size, {
      timeout: 30_000,
      interval: 100,
    })
    .toBeGreaterThan(3)
}

describe('the entrance', () => {
  it('shows the level of the microphone, and its keys switch microphone and camera', async () => {
    const { path } = await bookedNow()
    const page = await openCall(one + path)
    const meter = page.getByRole('meter', { name: 'Microphone level' })
    const level = async () => Number(await meter.getAttribute('aria-valuenow'))
    await expect.poll(level, { timeout: 30_000, interval: 50 }).toBeGreaterThan(0)
    const pressed = (name: string) => page.getByRole('button', { name }).getAttribute('aria-pressed')
    await page.keyboard.press('m')
    await page.keyboard.press('v')
    await expect.poll(() => pressed('Mute')).toBe('true')
    await expect.poll(() => pressed('Turn camera off')).toBe('true')
    await expect.poll(level).toBe(0)
    await page.getByLabel('Microphone', { exact: true }).press('m')
    await expect.poll(() => pressed('Mute')).toBe('true')
    await page.getByRole('button', { name: 'Join the call' }).click()
    await page.getByRole('button', { name: 'Leave' }).waitFor()
    await expect.poll(() => pressed('Mute')).toBe('true')
  })
})

describe('the room', () => {
  it(
    'shows each of the two the moving picture of the other, over two processes; it ends for both with the booking',
    { timeout: 60_000 },
    async () => {
      const { path, manageToken } = await bookedNow()
      const guestPage = await enter(one + path)
      await expect.poll(() => said(guestPage)).toBe('Waiting for the other person …')
      const hostPage = await enter(other + path)
      await Promise.all(
        [guestPage, hostPage].map(async (page) => {
          await expect.poll(() => said(page), { timeout: 30_000 }).toBe('You are connected.')
          await seesMovement(page)
        }),
      )

      await guestPage.keyboard.press('m')
      await expect.poll(() => guestPage.getByRole('button', { name: 'Mute' }).getAttribute('aria-pressed')).toBe('true')
      await guestPage.getByText('Camera and microphone').click()
      const cameras = guestPage.getByLabel('Camera', { exact: true })
      // The second fake camera measures depth, and browsers never send that.
      await cameras.selectOption({ index: 2 })
      await seesMovement(hostPage)

      const third = await enter(one + path)
      await expect.poll(() => said(third)).toMatch(/This call is full/)
      await hostPage.getByRole('button', { name: 'Leave' }).click()
      await expect.poll(() => said(hostPage)).toBe('You have left the call.')
      await expect.poll(() => said(third), { timeout: 30_000 }).toBe('You are connected.')
      await seesMovement(guestPage)

      await service.call({ method: 'POST', path: `manage/${manageToken}/cancel` })
      for (const page of [guestPage, third]) await expect.poll(() => said(page)).toBe('Meeting cancelled')
    },
  )

  it('is entered again after the page was loaded again', { timeout: 60_000 }, async () => {
    const { path } = await bookedNow()
    const [guestPage, hostPage] = [await enter(one + path), await enter(one + path)]
    await expect.poll(() => said(guestPage), { timeout: 30_000 }).toBe('You are connected.')
    await guestPage.reload()
    await expect.poll(() => said(hostPage)).toBe('The other person left')
    await guestPage.getByRole('button', { name: 'Join the call' }).click()
    await Promise.all([guestPage, hostPage].map(seesMovement))
  })

  it('takes people without camera and microphone', async () => {
    const { path } = await bookedNow()
    const page = await (await browser.newContext()).newPage()
    page.setDefaultTimeout(15_000)
    await page.addInitScript(`navigator.mediaDevices.getUserMedia = () => Promise.reject(new Error('refused'))`)
    await page.goto(one + path)
    await expect.poll(() => said(page)).toMatch(/No camera or microphone/)
    await page.getByRole('button', { name: 'Join the call' }).click()
    const hostPage = await enter(one + path)
    await expect.poll(() => said(hostPage), { timeout: 30_000 }).toBe('You are connected.')
    await seesMovement(page)
  })
})

/** Collects the messages to a bare socket until it is closed, or until a message of a type arrives. */
async function listenAt(
  base: string,
  path: string,
  until?: string,
): Promise<{ told: { type: string; state?: string }[]; code: number }> {
  const socket = new WebSocket(`${base.replace('http', 'ws')}${path}`)
  const told: { type: string; state?: string }[] = []
  const { promise, resolve } = Promise.withResolvers<number>()
  socket.addEventListener('close', ({ code }) => resolve(code))
  socket.addEventListener('message', ({ data }) => {
    told.push(JSON.parse(String(data)) as { type: string })
    if (told.at(-1)?.type === until) socket.close(1000)
  })
  return { code: await promise, told }
}

describe('the socket', () => {
  const member = () => `socket?member=${crypto.randomUUID()}`

  it('lets people in from 15 minutes before the start to two hours after the end, and not when the booking is cancelled', async () => {
    const { path, bookingId } = await bookedNow()
    const told = async () => (await listenAt(one, `${path}/${member()}`, 'welcome')).told[0]
    await move(bookingId, 15.2)
    expect(await told()).toEqual({ type: 'closed', state: 'early' })
    await move(bookingId, 14.9)
    expect(await told()).toMatchObject({ type: 'welcome' })
    await move(bookingId, -149)
    expect(await told()).toMatchObject({ type: 'welcome' })
    await move(bookingId, -151)
    expect(await told()).toEqual({ type: 'closed', state: 'over' })
    await move(bookingId, 0)
    await db.update(schema.bookings).set({ status: 'CANCELLED' }).where(eq(schema.bookings.id, bookingId))
    expect(await told()).toEqual({ type: 'closed', state: 'cancelled' })
  })

  it('is closed for wrong tokens and members', async () => {
    const { path } = await bookedNow()
    expect(await listenAt(one, `/call/wrong/${member()}`)).toEqual({ told: [], code: 4404 })
    expect(await listenAt(one, `${path}/socket?member=me`)).toEqual({ told: [], code: 4404 })
  })
})

describe('seats', () => {
  it.each(['with', 'without'])('are two, %s Redis; who has one keeps it', async (kind) => {
    const seats = createSeats(kind === 'with' ? service.redis : await connectRedis(undefined, { role: 'test' }))
    const room = crypto.randomUUID()
    expect([
      await seats.take(room, 'a'),
      await seats.take(room, 'b'),
      await seats.take(room, 'c'),
      await seats.take(room, 'a'),
    ]).toEqual([true, true, false, true])
    await seats.free(room, 'b')
    expect(await seats.take(room, 'c')).toBe(true)
  })
})

it('a Jitsi server that asks for tokens gets one for the room, until it closes', () => {
  const provider = createCallProvider('jitsi', {
    rooms: service.rooms,
    jitsi: { baseUrl: 'https://meet.acme.test/', appId: 'crm', appSecret: 'secret' },
  })
  const url = new URL(provider.roomUrl('room-1', new Date('2026-06-02T12:00:00Z')) ?? '')
  expect(`${url.origin}${url.pathname}`).toBe('https://meet.acme.test/room-1')
  const [head = '', claims = '', signature] = (url.searchParams.get('jwt') ?? '').split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as unknown
  expect(read(head)).toEqual({ alg: 'HS256', typ: 'JWT' })
  expect(read(claims)).toEqual({
    aud: 'jitsi',
    iss: 'crm',
    sub: 'meet.acme.test',
    room: 'room-1',
    exp: Date.parse('2026-06-02T12:00:00Z') / 1000,
  })
  expect(signature).toBe(createHmac('sha256', 'secret').update(`${head}.${claims}`).digest('base64url'))
})

it('TURN credentials end by themselves and are made with the shared secret', () => {
  const config = { stunUrls: ['stun:stun.acme.test'], turnUrls: ['turn:turn.acme.test'], turnSecret: 'secret' }
  const [stun, turn] = iceServersFor('me', config, new Date('2026-06-02T12:00:00Z'))
  expect(stun).toEqual({ urls: ['stun:stun.acme.test'] })
  expect(turn?.username).toBe(`${Date.parse('2026-06-02T18:00:00Z') / 1000}:me`)
  expect(turn?.credential).toBe(
    createHmac('sha1', 'secret')
      .update(turn?.username ?? '')
      .digest('base64'),
  )
  expect(iceServersFor('me', { stunUrls: [], turnUrls: [] }, new Date())).toEqual([])
})
