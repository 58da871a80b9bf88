import { expect, it } from 'vitest'
import { startInstallation } from './installation.ts'
import { openPages, shownLater, type Page } from './pages.ts'

const installation = await startInstallation()
const { signedIn } = await openPages(installation)

const talker = await installation.workspace.employee({ roles: ['Member'] })

/** How often a page asks for what others have said. */
const liveEveryMs = 5_000
const messages = (page: Page) => page.getByRole('log', { name: 'Messages' })

it('a channel is made, talked in, renamed and deleted', async () => {
  const page = await signedIn('/conversations')
  await page.getByText('Create the first channel so that your team can talk.').waitFor()
  await page.getByRole('button', { name: 'New channel' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('sales')
  await dialog.getByLabel('Topic').fill('Deals and offers')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const channels = page.getByRole('navigation', { name: 'Channels' })
  await channels.getByRole('link', { name: '# sales' }).click()
  await page.getByRole('heading', { name: '# sales', level: 1 }).waitFor()
  await page.getByText('Start the first conversation.').waitFor()

  await page.getByRole('button', { name: 'New conversation' }).click()
  await dialog.getByLabel('Subject').fill('Rebate for Hansen')
  await dialog.getByLabel('Message').fill('They ask for twelve per cent.')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await page.getByRole('heading', { name: 'Rebate for Hansen', level: 1 }).waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/conversations\/[\da-f-]{36}$/)
  await messages(page).getByText('They ask for twelve per cent.').waitFor()

  // No mouse is used: the keys that send also send a text of two lines.
  await page.getByRole('textbox', { name: 'Message' }).focus()
  await page.keyboard.type('Ten is fine.')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Not more.')
  await page.keyboard.press('Control+Enter')
  await messages(page).getByText('Ten is fine. Not more.').waitFor()
  await expect.poll(() => page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('')

  await channels.getByRole('button', { name: 'Edit sales' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await dialog.getByLabel('Name').fill('deals')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await channels.getByRole('link', { name: '# deals' }).click()
  await page.getByRole('list', { name: 'Conversations' }).getByText('2 messages').waitFor()
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('nothing of the kind')
  await page.getByText('No messages match.').waitFor()
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('twelve')
  await page.getByRole('link', { name: /Rebate for Hansen/ }).waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe('twelve')

  await channels.getByRole('button', { name: 'Edit deals' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByText('with its conversation and all messages').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No channels yet').waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/conversations')
})

it('two people talk, and each sees what the other says without asking', async () => {
  const page = await signedIn('/conversations', { ownClock: true })
  await page.getByRole('button', { name: 'New channel' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('everybody')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'New conversation' }).click()
  await page.getByRole('dialog').getByLabel('Subject').fill('Lunch')
  await page.getByRole('dialog').getByLabel('Message').fill('Where do we eat?')
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
  await messages(page).getByText('Where do we eat?').waitFor()

  const colleague = await signedIn(new URL(page.url()).pathname, { as: talker })
  await messages(colleague).getByText('Where do we eat?').waitFor()
  await expect.poll(() => colleague.getByRole('button', { name: 'New channel' }).count()).toBe(0)
  await colleague.getByRole('textbox', { name: 'Message' }).fill('At the station')
  await colleague.getByRole('button', { name: 'Send' }).click()
  await shownLater(page, messages(page).getByText('At the station'), liveEveryMs)
})

it('says so when a conversation is not there', async () => {
  const page = await signedIn('/conversations/01890000-0000-7000-8000-000000000000')
  await page.getByRole('heading', { name: 'Conversation not found, or you do not have access', level: 1 }).waitFor()
  await page.goto('/conversations/channels/01890000-0000-7000-8000-000000000000')
  await page.getByText('Channel not found').waitFor()
})
