import { eventually, unique } from '@crm/testkit'
import { expect, it } from 'vitest'
import { barriers } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { openPages, type Page } from './pages.ts'

const installation = await startInstallation({ withBooking: true })
const { workspace, address, call } = installation
const { signedIn, signIn, open } = await openPages(installation)

/** Draws a photo that is wider than high, in one colour with a border, as a camera's file. */
async function photo(page: Page, color: string, type = 'image/jpeg') {
  const drawn = await page.evaluate(`(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 1600
    canvas.height = 900
    const drawing = canvas.getContext('2d')
    drawing.fillStyle = '#000'
    drawing.fillRect(0, 0, 1600, 900)
    drawing.fillStyle = '${color}'
    drawing.fillRect(350, 0, 900, 900)
    return canvas.toDataURL('${type}')
  })()`)
  return { name: 'photo', mimeType: type, buffer: Buffer.from(String(drawn).split(',')[1] ?? '', 'base64') }
}

/** Returns the width of a picture on a page and the colours at its corners and in its middle, rounded. */
async function look(page: Page, selector: string): Promise<unknown> {
  await expect
    .poll(() => page.locator(selector).evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
    .toBe(256)
  // A list that is read anew puts another element in the place of the picture, which loads first.
  return eventually(() =>
    page.evaluate(`(async () => {
    const image = document.querySelector(${JSON.stringify(selector)})
    const bitmap = await createImageBitmap(image)
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    const drawing = canvas.getContext('2d')
    drawing.drawImage(bitmap, 0, 0)
    const at = (x, y) => [...drawing.getImageData(x, y, 1, 1).data].slice(0, 3).map((part) => Math.round(part / 255))
    return { width: bitmap.width, height: bitmap.height, middle: at(128, 128), corner: at(4, 251) }
  })()`),
  )
}

/** Returns the different heights within their rows at which the names beside avatars stand. */
async function heightsOfNames(page: Page): Promise<readonly number[]> {
  const heights: number[] = await page.evaluate(`[...document.querySelectorAll('[role="row"]')].flatMap((row) => {
    const name = row.querySelector('[class*="avatar"] + bdi')
    return name === null ? [] : [Math.round(name.getBoundingClientRect().top - row.getBoundingClientRect().top)]
  })`)
  expect(heights).toHaveLength(2)
  return [...new Set(heights)]
}

const red = { width: 256, height: 256, middle: [1, 0, 0], corner: [1, 0, 0] }
const blue = { width: 256, height: 256, middle: [0, 0, 1], corner: [0, 0, 1] }

/** The avatar in the menu of the account. */
const inHeader = 'aside [class*="account"] [class*="avatar"]'
const panel = 'main [class*="avatar"]'

const chooser = (page: Page) => page.locator('main input[type="file"]')

it('a person chooses a photo of any size, which stands beside their name, for colleagues and for guests', async () => {
  const person = await workspace.employee({ roles: ['Administrator'] })
  const ofPerson = `img[src*="${person.id}"]`
  const name = `Newcomer${unique()}`
  const page = await signedIn('/settings/profile', { as: person })
  await page.getByRole('button', { name: 'Choose picture' }).waitFor()
  await expect.poll(() => page.locator(`${inHeader} img`).count()).toBe(0)
  await chooser(page).setInputFiles(await photo(page, '#f00'))
  await page.getByText('Picture saved').waitFor()
  await page.getByRole('button', { name: 'Replace picture' }).waitFor()
  expect(await look(page, `${panel} img`)).toEqual(red)
  expect(await look(page, `${inHeader} img`)).toEqual(red)
  expect(await barriers(page)).toEqual([])

  // Colleagues see it in lists, on boards, in histories and among people, and ask nothing for it but the picture itself.
  const colleague = await workspace.employee({ roles: ['Administrator'] })
  const { data: lead } = (await call('POST', '/api/leads', {
    firstName: 'Rita',
    lastName: name,
    ownerId: person.id,
  })) as { readonly data: { readonly id: string } }
  await page.request.patch(`/api/leads/${lead.id}`, { data: { jobTitle: 'Painter' }, headers: { origin: address } })
  await call('POST', '/api/leads', { firstName: 'Paul', lastName: name, ownerId: colleague.id })
  const theirs = await open()
  await signIn(theirs, colleague)
  const asked: string[] = []
  theirs.on('request', (request) => void asked.push(new URL(request.url()).pathname))
  await theirs.goto(`/leads?search=${name}`)
  expect(await look(theirs, `[role="row"] [class*="avatar"] ${ofPerson}`)).toEqual(red)
  expect(await heightsOfNames(theirs)).toHaveLength(1)
  expect(asked.filter((path) => path.includes('/picture'))).toHaveLength(1)
  // The people came together with the unread notifications.
  expect(asked.filter((path) => path.startsWith('/api/employees/directory'))).toEqual([])
  await theirs
    .getByRole('link', { name: `Rita ${name}` })
    .first()
    .click()
  await theirs.getByRole('heading', { name: `Rita ${name}`, level: 1 }).waitFor()
  expect(await look(theirs, `[aria-label="Activity feed"] [class*="avatar"] ${ofPerson}`)).toEqual(red)
  await theirs.goto('/settings/people')
  expect(await look(theirs, `table [class*="avatar"] ${ofPerson}`)).toEqual(red)
  await theirs.goto(`/people/${person.id}`)
  expect(await look(theirs, 'main header [class*="avatar"] img')).toEqual(red)
  await theirs.goto(`/leads?layout=board&search=${name}`)
  expect(await look(theirs, `main li [class*="avatar"] ${ofPerson}`)).toEqual(red)

  // Guests see it while the link shows it.
  const weeklyHours = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '00:00', end: '24:00' }))
  const link = { name: `Intro ${name}`, slug: name.toLowerCase(), durationMin: 30, timezone: 'UTC', weeklyHours }
  await installation.inSettings('POST', '/api/settings/booking-links', {
    ...link,
    organizerId: person.id,
    showAvatar: true,
  })
  const guest = await open()
  await guest.goto(`/book/${link.slug}`)
  expect(await look(guest, '.meeting img.avatar')).toEqual(red)

  // A new photo has a new address, and the former one is gone.
  const former = await page.locator(`${inHeader} img`).getAttribute('src')
  await chooser(page).setInputFiles(await photo(page, '#00f', 'image/png'))
  await expect.poll(() => page.locator(`${inHeader} img`).getAttribute('src')).not.toBe(former)
  expect(await look(page, `${inHeader} img`)).toEqual(blue)
  expect((await page.request.get(address + String(former))).status()).toBe(404)
  await guest.reload()
  expect(await look(guest, '.meeting img.avatar')).toEqual(blue)

  // Without the switch there is none.
  await page.goto('/booking/links')
  await page.getByRole('link', { name: link.name }).first().click()
  await page
    .getByRole('checkbox', { name: 'Show my photo' })
    .or(page.getByRole('switch', { name: 'Show my photo' }))
    .uncheck()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await guest.reload()
  await guest.locator('.day').first().waitFor()
  await expect.poll(() => guest.locator('.avatar').count()).toBe(0)

  await page.goto('/settings/profile')
  await page.getByRole('button', { name: 'Remove picture' }).click()
  await page.getByText('Picture removed').waitFor()
  await page.getByRole('button', { name: 'Choose picture' }).waitFor()
  await expect.poll(() => page.locator(`${inHeader} img`).count()).toBe(0)
}, 120_000)

it('a file that is no picture is refused in words, and a picture that cannot be loaded leaves the initials', async () => {
  const { id } = await workspace.employee()
  const page = await signedIn('/settings/profile', { as: { id } })
  await chooser(page).setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
  await page.getByText('This file cannot be read as a picture.').waitFor()
  await page.route('**/picture/*', (route) => route.abort())
  await chooser(page).setInputFiles(await photo(page, '#f00'))
  await page.getByText('Picture saved').waitFor()
  await page.getByText('This file cannot be read as a picture.').waitFor({ state: 'detached' })
  await expect.poll(() => page.locator(inHeader).textContent()).toMatch(/^[\p{L}\d]{1,2}$/u)
})
