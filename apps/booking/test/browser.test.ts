import { systemClock } from '@crm/runtime'
import { launchBrowser } from '@crm/testkit'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { bookingUnderTest } from './booking-under-test.ts'

// With one workspace in the installation every host is its own, also the loopback address that the browser uses.
const service = await bookingUnderTest({ clock: systemClock })
const always = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '00:00', end: '24:00' }))
const { slug } = await service.link({ timezone: 'UTC', weeklyHours: always })
await service.app.listen({ host: '127.0.0.1', port: 0 })
const origin = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`

// A machine without fonts gives text no height, which counts as hidden.
const attached = { state: 'attached' } as const

it('a guest books, moves and cancels a meeting by keyboard', { timeout: 60_000 }, async () => {
  const browser = await launchBrowser()
  const page = await browser.newPage()
  page.setDefaultTimeout(20_000)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  const press = async (name: RegExp | string) => {
    await page.getByRole('button', { name }).first().focus()
    await page.keyboard.press('Enter')
  }
  const pickSecondDay = async () => {
    await page.locator('[aria-labelledby="days"] button').nth(2).focus()
    await page.keyboard.press('Enter')
    await page.locator('[aria-labelledby="times"] button').nth(3).focus()
    await page.keyboard.press('Enter')
  }

  await page.goto(`${origin}/book/${slug}`)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Intro call')
  await pickSecondDay()
  await page.getByLabel('Name').fill('Zoë Guest')
  await page.getByLabel('Email').fill('zoe@guest.test')
  await page.getByLabel('Note').fill('By keyboard')
  await press('Book')
  await page.getByRole('heading', { name: 'Your meeting is booked' }).waitFor(attached)
  expect(await page.getByRole('status').textContent()).toBe('We have sent a confirmation to zoe@guest.test')
  const manage = await page.getByRole('link', { name: 'Move or cancel the meeting' }).getAttribute('href')

  await page.goto(`${origin}${manage}`)
  await press('Move the meeting')
  await page.locator('[aria-labelledby="days"] button').nth(4).waitFor(attached)
  await pickSecondDay()
  await expect.poll(() => page.getByRole('status').textContent()).toBe('The meeting has a new time.')
  await press('Cancel the meeting')
  await press('Yes, cancel it')
  await expect.poll(() => page.getByRole('status').textContent()).toBe('The meeting is cancelled.')
  expect(service.mails.filter(({ to }) => to.address === 'zoe@guest.test').map(({ icalEvent }) => icalEvent?.method)).toEqual(['REQUEST', 'REQUEST', 'CANCEL'])
  expect(problems).toEqual([])
})
