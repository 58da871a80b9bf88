import { noise } from '@crm/testkit'
import { newId, schema } from '@crm/db'
import type { TestWorkspace } from '@crm/testkit'
import { and, eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { berlin, bookingUnderTest, guest } from './booking-under-test.ts'

const service = await bookingUnderTest()
const { app, call, db, link, workspace } = service
const tuesday = '2026-06-02'

/** Gives a person a picture, and returns its version and its bytes. */
async function givePicture(employeeId: string, { workspaceId }: TestWorkspace = workspace, size = 600) {
  const picture = { version: newId(), mediaType: 'image/webp' as const, size, bytes: noise(size) }
  await db
    .insert(schema.employeePictures)
    .values({ workspaceId, employeeId, ...picture })
    .onConflictDoUpdate({
      target: [schema.employeePictures.workspaceId, schema.employeePictures.employeeId],
      set: picture,
    })
  return picture
}

async function hostWithPicture(size?: number) {
  const { id } = await workspace.employee()
  return { id, picture: await givePicture(id, workspace, size) }
}

const avatarOf = async (slug: string): Promise<string | null> =>
  (await call({ path: slug })).body.data.organizer.avatar as string | null

async function load(address: string | null, at: TestWorkspace = workspace) {
  const { pathname } = new URL(address ?? '')
  return app.inject({ method: 'GET', url: pathname, headers: { host: at.host } })
}

const change = (id: string, set: Partial<typeof schema.bookingLinks.$inferInsert>) =>
  db
    .update(schema.bookingLinks)
    .set(set)
    .where(and(eq(schema.bookingLinks.workspaceId, workspace.workspaceId), eq(schema.bookingLinks.id, id)))

it('the photo of the host stands at an address of the booking page, for every website', async () => {
  const host = await hostWithPicture(200_000)
  const { slug } = await link({ organizerId: host.id })
  const avatar = await avatarOf(slug)
  expect(avatar).toMatch(new RegExp(`^https?://[^/]+/book/photo/${slug}/${host.picture.version}$`))
  const { statusCode, headers, rawPayload } = await load(avatar)
  expect({ statusCode, isWhole: rawPayload.equals(host.picture.bytes) }).toEqual({ statusCode: 200, isWhole: true })
  expect(headers).toMatchObject({
    'content-type': 'image/webp',
    'content-length': '200000',
    'cache-control': 'public, max-age=300',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
  })
  const page = await app.inject({ method: 'GET', url: `/book/${slug}`, headers: { host: workspace.host } })
  expect(page.body).toContain(host.picture.version)
  expect(page.headers['content-security-policy']).toContain("img-src 'self'")
})

it('a link without the switch shows no photo, and the address that it had is gone', async () => {
  const host = await hostWithPicture()
  const { id, slug } = await link({ organizerId: host.id })
  const address = await avatarOf(slug)
  expect((await load(address)).statusCode).toBe(200)
  await change(id, { showAvatar: false })
  expect(await avatarOf(slug)).toBeNull()
  expect((await load(address)).statusCode).toBe(404)
  const page = await app.inject({ method: 'GET', url: `/book/${slug}`, headers: { host: workspace.host } })
  expect(page.body).not.toContain(host.picture.version)
})

it('a host without a picture has none, a removed one is gone, and a new one has a new address', async () => {
  const { id } = await workspace.employee()
  const { slug } = await link({ organizerId: id })
  expect(await avatarOf(slug)).toBeNull()
  await givePicture(id)
  const first = await avatarOf(slug)
  await givePicture(id)
  const second = await avatarOf(slug)
  expect(second).not.toBe(first)
  expect([(await load(first)).statusCode, (await load(second)).statusCode]).toEqual([404, 200])
  await db.delete(schema.employeePictures).where(eq(schema.employeePictures.employeeId, id))
  expect(await avatarOf(slug)).toBeNull()
  expect((await load(second)).statusCode).toBe(404)
})

it('a booking shows the photo to its guest, as long as its host is that of the link', async () => {
  const host = await hostWithPicture()
  const { id, slug } = await link({ organizerId: host.id })
  const made = await call({ method: 'POST', path: slug, body: guest(berlin(tuesday, 10)) })
  const shown = async () =>
    (await call({ path: `manage/${made.body.data.manageToken}` })).body.data.link.organizer.avatar as string | null
  expect(await shown()).toBe(await avatarOf(slug))
  await change(id, { organizerId: (await hostWithPicture()).id })
  expect(await shown()).toBeNull()
  await change(id, { organizerId: host.id, showAvatar: false })
  expect(await shown()).toBeNull()
})

it('no other address gives a picture', async () => {
  const [host, colleague, other] = [await hostWithPicture(), await hostWithPicture(), await service.newWorkspace()]
  const [{ slug }, foreign] = [await link({ organizerId: host.id }), await link({}, other)]
  const { baseUrl } = { baseUrl: `http://${workspace.host}` }
  const theirs = await givePicture(foreign.organizerId, other)
  const { version } = host.picture
  for (const path of [
    `/book/photo/${slug}/${colleague.picture.version}`,
    `/book/photo/${slug}/${newId()}`,
    `/book/photo/${slug}/nonsense`,
    `/book/photo/${slug}`,
    `/book/photo/nobody/${version}`,
    `/book/photo/${slug}%00/${version}`,
    `/book/photo/${foreign.slug}/${theirs.version}`,
  ])
    expect({ path, status: (await load(`${baseUrl}${path}`)).statusCode }).toEqual({ path, status: 404 })
  expect((await load(`${baseUrl}/book/photo/${foreign.slug}/${theirs.version}`, other)).statusCode).toBe(200)
  expect((await load(`${baseUrl}/book/photo/${slug}/${version}`)).statusCode).toBe(200)
  await db.update(schema.employees).set({ status: 'SUSPENDED' }).where(eq(schema.employees.id, host.id))
  expect((await load(`${baseUrl}/book/photo/${slug}/${version}`)).statusCode).toBe(404)
})
