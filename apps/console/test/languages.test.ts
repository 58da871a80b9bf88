import { readdirSync, readFileSync } from 'node:fs'
import { eventually } from '@crm/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { allBarriers, namingFaults } from './barriers.ts'
import { startInstallation } from './installation.ts'
import { go as leadTo, openPages, type Page } from './pages.ts'

const installation = await startInstallation()
const pages = await openPages(installation)
const { call, inSettings } = installation

/**
 * Names that people give stand in brackets here, as the texts of the pseudo-language do. The font has these brackets: axe takes a text that
 * begins with a letter without ink for an icon, and looks at the contrast of no other.
 */
const given = (name: string) => `«${name}»`

/** A page of the console that is left within the console, which is faster than loading it again. */
interface Visit {
  readonly page: Page
  /** Goes to an address and waits until everything there has been read and shown. */
  go(path: string): Promise<void>
}

/** Opens a page that shows every text of the catalogues in brackets. */
async function openInBrackets(): Promise<Visit> {
  const page = await pages.open()
  const pending = new Map<unknown, string>()
  page.on('request', (request) => request.resourceType() !== 'eventsource' && pending.set(request, request.url()))
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  const isStill = async (): Promise<void> => {
    await page.evaluate(fewFrames)
    if (pending.size > 0) throw new Error(`The page waits for ${[...pending.values()].join(', ')}`)
    if ((await page.locator('main .mantine-Skeleton-root').count()) > 0) throw new Error('The page is not filled')
  }
  const twiceStill = async (): Promise<void> => {
    await isStill()
    await isStill()
  }
  await page.addInitScript(`localStorage.setItem('crm:language', 'pseudo')`)
  await pages.signIn(page)
  for (const own of ['api-keys', 'roles', 'users'])
    keepStrings(await (await page.request.get(`/api/settings/${own}`)).json())
  await page.goto('/')
  keepStrings(await page.evaluate(ofTheBrowser))
  await page.getByRole('link', { name: '«Leads»' }).waitFor()
  return {
    page,
    go: async (path) => {
      await leadTo(page, path)
      await eventually(twiceStill, { timeout: pageMs, interval: 1 })
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
  }
}

/** Far beyond what a page takes: a page that never comes to rest is named. */
const pageMs = 60_000

const fewFrames = `new Promise((done) => {
  let left = 3
  const count = () => (left-- > 0 ? requestAnimationFrame(count) : done())
  count()
})`

/** Names of months and days, time zones, keys of the keyboard, formats, and the product's own name. */
const everywhere =
  /^(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?|Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?|UTC|GMT|[AP]M|at|Workspace|CRM|Ctrl|Alt|Esc|Enter|Shift|CSV|API|\S+@\S+|https?|\/\/\S+)$/i

/** Initials of people and companies, addresses behind their port, times that have passed, lengths, methods of requests, kinds of contents and their digests, programs that people come from. */
const coded =
  /^(?:\p{Lu}{2}|\d+\/\S*|\d+ minutes? ago|\d+ min|GET|POST|PUT|PATCH|DELETE|\.txt|text\/plain|SHA-256|[0-9a-f]{64}|HubSpot|Pipedrive|Salesforce|Zoho CRM|Twenty|EspoCRM)$/u

/** What the browser names in the language of the page, here in English: zones, currencies that the service knows, and countries. */
const ofTheBrowser = `(async () => {
  const { data } = await (await fetch('/api/currencies/known')).json()
  const named = (type, codes) => codes.map((code) => new Intl.DisplayNames('en', { type }).of(code))
  const pairs = Array.from({ length: 26 * 26 }, (_, at) => String.fromCharCode(65 + at / 26, 65 + (at % 26)))
  const zones = Intl.supportedValuesOf('timeZone').map((zone) => zone.replaceAll('_', ' '))
  return [data, zones, named('currency', data.map(({ code }) => code)), named('region', pairs)]
})()`

/** The names that every workspace begins with, such as stages and roles, which people can change. */
const ofTheWorkspace = new Set<string>()

const partsOf = (text: string) => text.split(/[·,;:()“”→]|\s–\s/).map((part) => part.trim())

/** Returns the visible texts and names of a page that no catalogue has, in the order of the page. */
async function looseTexts(page: Page): Promise<string[]> {
  const texts: string[] = await page.evaluate(`(() => {
    const found = []
    const outside = (text, start) => {
      let depth = start
      let rest = ''
      for (const sign of text) {
        if (sign === '«') { depth += 1; rest += '\\n' }
        else if (sign === '»') depth -= 1
        else if (depth <= 0) rest += sign
      }
      return [rest, depth]
    }
    let depth = 0
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const parent = node.parentElement
      if (parent === null || parent.closest('script, style, noscript, code, pre, kbd, svg')) continue
      const [rest, next] = outside(node.data, depth)
      depth = next
      found.push(...rest.split('\\n'))
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]'))
      if (element.closest('[aria-hidden=true]') === null) for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
        found.push(...outside(element.getAttribute(name) ?? '', 0)[0].split('\\n'))
    if (depth !== 0) found.push('a bracket without its other one')
    return found
  })()`)
  const words = texts
    .flatMap(partsOf)
    .filter((text) => !ofTheWorkspace.has(text) && !coded.test(text))
    .filter((text) => text.split(/\s+/).some((word) => /\p{L}{2}/u.test(word) && !everywhere.test(word)))
  return [...new Set(words)]
}

/** The looks in which every page and dialog is searched for barriers. */
const looks = [
  { colorScheme: 'light', width: 1440, height: 900 },
  { colorScheme: 'dark', width: 390, height: 844 },
] as const
type Look = (typeof looks)[number]

/** Returns what is wrong with a page in the given looks: texts from no catalogue, controls without a name, barriers, and what does not fit. */
async function faultsOf(page: Page, inLooks: readonly Look[]): Promise<string[]> {
  const faults: string[] = []
  for (const { colorScheme, ...size } of inLooks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(size)
    await page.evaluate(endOfMotion)
    const isWide = size.width === looks[0].width
    const found = await staying(async () => [
      ...(await looseTexts(page)),
      ...(await allBarriers(page)),
      ...(isWide ? await namingFaults(page) : []),
      ...(await misfits(page, isWide)),
    ])
    faults.push(...found.map((fault) => `${colorScheme}, ${size.width} px: ${fault}`))
  }
  return faults
}

/** Returns what is wrong and stays so: some parts of a page are laid out anew only after it has another size. */
async function staying(look: () => Promise<readonly string[]>): Promise<readonly string[]> {
  let found = await look()
  const isGone = async (): Promise<void> => {
    if (found.length === 0) return
    found = await look()
    throw new Error('It is still there')
  }
  await eventually(isGone, { timeout: 5_000 }).catch(() => undefined)
  return found
}

/** Returns what does not fit into the window. */
async function misfits(page: Page, isWide: boolean): Promise<string[]> {
  const isWider = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
  return [
    ...(isWider ? [`the page is wider than the window: ${await page.evaluate(widest)}`] : []),
    ...(await page.evaluate<string[]>(cutTables)).map((name) => `the table ${name} is cut`),
    ...(await page.evaluate<string[]>(cutWords)).map((words) => `“${words}” is cut`),
    ...(await page.evaluate<string[]>(stretched)).map((name) => `the field ${name} holds empty room`),
    ...(isWide ? [] : (await page.evaluate<string[]>(pushedAside)).map((name) => `${name} scrolls sideways`)),
  ]
}

/** The element that ends farthest beyond the window, without what it holds. */
const widest = `[...document.querySelectorAll('body *')]
  .map((element) => [element.getBoundingClientRect().right, element.cloneNode().outerHTML])
  .sort(([one], [other]) => other - one)[0].join(' ')`

/** The tables that are wider than their place: a list of usual columns too, which scrolls beside an open record alone. */
const cutTables = `location.search.includes('peek=') ? [] : [...document.querySelectorAll('main table')]
  .filter(({ parentElement }) => parentElement.scrollWidth > parentElement.clientWidth + 1)
  .map((table) => table.getAttribute('aria-label') ?? 'without a name')`

/** Titles, headings, buttons, tabs, labels and times that end in dots; on a phone the rows of a list are cards that show what fits. */
const cutWords = `[...document.querySelectorAll(':is(main, [role=dialog]) :is(button, [role=tab], h1, h2, label, time)')]
  .filter((element) => element.getClientRects().length > 0 && (innerWidth > 768 || element.closest('[role=grid]') === null))
  .filter((element) => {
    const clip = [element, element.parentElement, element.parentElement.parentElement, element.parentElement.parentElement.parentElement]
      .find((one) => one !== null && getComputedStyle(one).textOverflow === 'ellipsis')
    return clip !== undefined && clip.scrollWidth > clip.clientWidth + 1
  })
  .map((element) => element.textContent)`

/** The fields that are much higher than what is in them, as in a column that shares its room. */
const stretched = `[...document.querySelectorAll('main .mantine-InputWrapper-root')]
  .filter((field) => field.getBoundingClientRect().height > 100 + [...field.children].reduce((sum, part) => sum + part.getBoundingClientRect().height, 0))
  .map((field) => field.querySelector('input, textarea')?.getAttribute('aria-label') ?? field.textContent)`

/** What a phone shows only to who pushes it aside, apart from boards, code, and views and filters, of which people make any number. */
const pushedAside = `[...document.querySelectorAll('main *, [role=dialog] *')]
  .filter((element) => ['auto', 'scroll'].includes(getComputedStyle(element).overflowX) && element.scrollWidth > element.clientWidth + 1)
  .filter((element) => element.clientWidth > 0 && element.closest('pre, code, textarea, [data-scrolls]') === null)
  .map((element) => element.getAttribute('aria-label') ?? element.cloneNode().outerHTML)`

/** A colour that is still changing has too little contrast; what moves without an end waits for something. */
const endOfMotion = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  .then(() => Promise.allSettled(document.getAnimations().map((animation) =>
    animation.effect.getComputedTiming().endTime === Infinity ? animation.finished : animation.finish())))
  .then(() => undefined)`

function keepStrings(value: unknown): void {
  if (typeof value === 'string') for (const text of [value, ...partsOf(value)]) ofTheWorkspace.add(text)
  else if (value !== null && typeof value === 'object') Object.values(value).forEach(keepStrings)
}

/** The addresses of records and of the pages that make and change them. */
const records: string[] = []
/** Parts of addresses that the dialogs below need. */
const made: Record<string, string> = {}

interface Made {
  readonly data: { readonly id: string }
}

async function create(collection: string, body: object, path = collection): Promise<string> {
  const { data } = (await call('POST', `/api/${collection}`, body)) as Made
  records.push(`/${path}/${data.id}`)
  return data.id
}

const link = { slug: 'intro', name: given('Intro'), durationMin: 30, timezone: 'UTC', weeklyHours: [] }

/** Makes a record that only sessions may make. */
async function createInSession(collection: string, body: object, path: string): Promise<string> {
  const { data } = (await inSettings('POST', `/api/${collection}`, body)) as Made
  records.push(`/${path}/${data.id}`)
  return data.id
}

/** Changes a record as an agent does, whose changes wait. */
async function propose(path: string, body: object): Promise<void> {
  const held = { name: given('Claude'), scopes: ['VIEW_COMPANY', 'UPDATE_COMPANY'], writes: 'PROPOSE' }
  const { data } = (await inSettings('POST', '/api/settings/api-keys', held)) as { data: { key: string } }
  const headers = { authorization: `Bearer ${data.key}`, 'content-type': 'application/json' }
  const { status } = await fetch(new URL(path, installation.address), {
    method: 'PATCH',
    headers,
    body: JSON.stringify(body),
  })
  expect(status).toBe(202)
}

beforeAll(async () => {
  for (const path of [
    'currencies',
    'industries',
    'lead-sources',
    'number-sequences',
    'pipelines',
    'tax-rates',
    'units',
  ])
    keepStrings(await call('GET', `/api/${path}?pageSize=100`))
  keepStrings(await call('GET', '/api/me/scopes'))
  keepStrings(await call('GET', '/api/dashboards'))
  // The API words the verbs of permissions, and languages have their own names.
  keepStrings(['See', 'Create', 'Change', 'Delete', 'vehicle', link.slug, `/book/${link.slug}`])
  keepStrings(['English', 'Deutsch', 'Français', 'Español', 'Русский'])
  await inSettings('PATCH', '/api/settings/workspace', { name: 'Workspace' })
  await createInSession(
    'settings/custom-entities',
    {
      key: 'vehicle',
      labels: { singular: given('Vehicle'), plural: given('Vehicles') },
      fields: [{ key: 'plate', label: given('Plate'), type: 'TEXT' }],
    },
    'settings/custom-entities',
  )
  records.pop()
  const companyId = await create('companies', { name: given('Company') })
  await propose(`/api/companies/${companyId}`, { tags: [given('Vip')] })
  await create('contacts', { firstName: given('Ada'), lastName: given('King') })
  await create('leads', { firstName: given('Rita'), lastName: given('Newcomer'), temperature: 'HOT' })
  const dealId = await create('deals', { name: given('Deal'), amount: '1200', currency: 'EUR' })
  await create('tasks', { title: given('Call'), dueAt: '2020-01-01T09:00:00Z' })
  await create('projects', { name: given('Project') })
  await create('activities', { type: 'CALL', subject: given('Call') })
  await create('departments', { name: given('Department') })
  await create(
    'files/upload',
    { filename: `${given('Note')}.txt`, contentType: 'text/plain', contentBase64: 'aGVsbG8=' },
    'files',
  )
  await create('documents', { name: given('Offer'), kind: given('Letter'), body: given('Dear') }, 'document-templates')
  const productId = await create('products', { name: given('Lamp'), basePrice: '10' })
  const priceListId = await create('price-lists', { name: given('Prices'), companyIds: [companyId] })
  await call('POST', '/api/price-list-entries', { priceListId, productId, price: '9' })
  const paper = { companyId, dealId, items: [{ name: given('Lamp'), unitPrice: '10' }] }
  for (const kind of ['quotes', 'orders', 'invoices']) {
    const id = await create(kind, paper)
    records.push(`/${kind}/${id}/edit`, `/${kind}/new`)
  }
  made['invoice'] = await create('invoices', paper)
  keepStrings(await call('POST', `/api/invoices/${made['invoice']}/issue`))
  await createInSession('custom-entities/vehicle/records', { title: given('Van') }, 'vehicles')
  const channelId = await createInSession('settings/channels', { name: given('Room') }, 'conversations/channels')
  await createInSession(
    'settings/conversations',
    { channelId, subject: given('Plan'), body: given('Hello') },
    'conversations',
  )
  await createInSession(
    'settings/booking-links',
    { ...link, organizerId: installation.workspace.adminUserId },
    'booking/links',
  )
  await createInSession('settings/workflows', { name: given('Welcome'), trigger: { type: 'MANUAL' } }, 'automation')
  await createInSession(
    'settings/automation-rules',
    {
      name: given('Tell'),
      isActive: false,
      trigger: { event: 'deal.created' },
      actions: [{ type: 'WEBHOOK', url: 'https://receiver.example/' }],
    },
    'automation/rules',
  )
  const filter = encodeURIComponent(JSON.stringify({ and: [{ field: 'amount', op: 'gt', value: 1 }] }))
  records.push(
    `/people/${installation.workspace.adminUserId}`,
    '/booking/links/new',
    '/settings/directory-sync',
    `/deals?layout=table&f=${filter}&cols=name,amount,stageId`,
    '/deals?layout=calendar',
    `/deals?layout=table&peek=${dealId}`,
  )
})

/** Returns the addresses of the console's pages as its routes name them, such as `/leads/$id`. */
function routePaths(): string[] {
  const features = new URL('../web/src/features/', import.meta.url)
  return readdirSync(features).flatMap((feature) => {
    const code = readFileSync(new URL(`${feature}/routes.ts`, features), 'utf8')
    return [...code.matchAll(/\bpath: '(\/[^']*)'/g)].map(([, path = '']) => path)
  })
}

const matcherOf = (route: string) => new RegExp(`^${route.replaceAll(/\$\w+/g, '[^/?]+')}(?:\\?|$)`)

/** Other tests look at these. */
const seenElsewhere: ReadonlySet<string> = new Set([
  // They come before the sign-in.
  '/docs',
  '/sign-in',
  '/login',
  '/invite',
  '/reset',
  // What they show is made by work alone.
  '/automation/runs/$id',
  '/dashboards/$id',
  '/settings/import/$id',
  // They lead to other addresses.
  '/automation/workflows/$id',
  '/booking/calendar',
  '/records/$key',
  '/records/$key/$id',
])

/** Returns the addresses that a navigation leads to. */
async function addressesOn(page: Page): Promise<string[]> {
  const links = page.getByRole('navigation').getByRole('link')
  return links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
}

/** The dialogs of pages, by the button that opens each. */
const dialogs: readonly (readonly [path: string, ...buttons: readonly string[]])[] = [
  ['/leads', 'New lead', 'Filter', 'Columns', 'Save view'],
  ['/deals', 'New deal'],
  ['/tasks', 'New task'],
  ['/products', 'New product'],
  ['/dashboards', 'New dashboard'],
  ['/automation', 'New workflow'],
  ['/calendar', 'New event'],
  ['/settings/people', 'Invite people', 'New service account'],
  ['/settings/roles', 'New role'],
  ['/settings/pipelines', 'New pipeline'],
  ['/settings/api-keys', 'New API key'],
  ['/settings/single-sign-on', 'Add provider'],
  ['/settings/custom-entities', 'New custom entity'],
]

/** Returns a name as a page in brackets shows it, with a noun in brackets of its own. */
const inBrackets = (name: string) => new RegExp(`^«${name.replace(/ /g, '[ «]+')}»*$`)

/** Returns how a dialog loses what somebody types in it: by Esc, by a click outside, or by its cross. */
async function lossesIn(page: Page): Promise<string[]> {
  // The question is a dialog as well, without a form.
  const dialog = page.getByRole('dialog').filter({ has: page.locator('form:not([data-kept])') })
  const field = dialog.getByRole('textbox').first()
  // What is chosen is no text, and the columns and filters of a list stand in its address.
  if ((await field.count()) === 0) return []
  await field.fill(typedText)
  const question = page.getByRole('dialog', { name: '«Discard changes?»' })
  const losses: string[] = []
  for (const [how, leave] of [
    ['Esc', () => page.keyboard.press('Escape')],
    ['a click outside', () => page.mouse.click(2, 2)],
    ['its cross', () => dialog.getByRole('button', { name: '«Close»' }).click()],
  ] as const) {
    await leave()
    await eventually(async () => {
      if ((await question.count()) === 0 && (await field.count()) > 0) throw new Error('Nothing happened yet')
    })
    if ((await question.count()) === 0) return [`${how} throws away what was typed`]
    await question.getByRole('button', { name: '«Cancel»' }).click()
    await question.waitFor({ state: 'detached' })
    if ((await field.inputValue()) !== typedText) losses.push(`${how} changes what was typed`)
  }
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: '«Discard»' }).click()
  await field.waitFor({ state: 'detached' })
  return losses
}

const typedText = '42'

/** Returns whether a page is left without a question, with what somebody typed in its first form. */
async function lossOn(page: Page, path: string): Promise<string[]> {
  const field = page
    .locator('main form:not([data-kept])')
    .locator('input:not([type]), input[type=text], textarea')
    .and(page.locator(':visible:enabled:not([readonly]):not([role=combobox])'))
    .first()
  if ((await field.count()) === 0) return []
  await field.fill(typedText)
  await page.evaluate(`document.querySelector('a[href="/"]').click()`)
  const question = page.getByRole('dialog', { name: '«Discard changes?»' })
  await eventually(async () => {
    if ((await question.count()) === 0 && new URL(page.url()).pathname !== '/') throw new Error('Nothing happened yet')
  })
  if ((await question.count()) === 0) return [`the form of ${path} is left without a question`]
  await question.getByRole('button', { name: '«Leave»' }).click()
  await page.getByRole('heading', { level: 1, name: '«Home»' }).waitFor()
  return []
}

/** A walk looks at all pages or dialogs twice. */
const walkMs = 300_000

describe('a page in brackets', () => {
  it(
    'shows no text that comes from no catalogue, no barrier, light or dark, wide or narrow, and loses nothing that is typed',
    async () => {
      const { page, go } = await openInBrackets()
      const folded = page.getByRole('navigation').getByRole('button', { expanded: false })
      while ((await folded.count()) > 0) await folded.first().click()
      const main = await addressesOn(page)
      await go('/settings/people')
      const paths = [...new Set([...main, ...(await addressesOn(page)), ...records, '/welcome'])]
      const unseen = routePaths().filter((route) => !paths.some((path) => matcherOf(route).test(path)))
      expect(unseen.filter((route) => !seenElsewhere.has(route))).toEqual([])
      const faults: Record<string, readonly string[]> = {}
      for (const [at, path] of paths.entries()) {
        await go(path)
        // A change of the look takes as long as a page: the next one begins with the look that this one ends with.
        const found = await faultsOf(page, at % 2 === 0 ? looks : looks.toReversed())
        found.push(...(await lossOn(page, path)))
        if (found.length > 0) faults[path] = found
      }
      expect(faults).toEqual({})
    },
    walkMs,
  )

  it(
    'shows none in its dialogs either',
    async () => {
      const { page, go } = await openInBrackets()
      const faults: Record<string, readonly string[]> = {}
      for (const [path, ...buttons] of dialogs) {
        for (const name of buttons) {
          // A dialog goes away with its page.
          await go('/tasks')
          await page.setViewportSize(looks[0])
          await go(path)
          await page
            .getByRole('main')
            .getByRole('button', { name: inBrackets(name) })
            .first()
            .click()
          await page.getByRole('dialog').getByRole('button').last().waitFor()
          // Choices that are open from the start are closed by the first Esc.
          if ((await page.getByRole('listbox').count()) > 0) await page.keyboard.press('Escape')
          const found = [...(await faultsOf(page, looks)), ...(await lossesIn(page))]
          if (found.length > 0) faults[`${path}: ${name}`] = found
        }
      }
      expect(faults).toEqual({})
    },
    walkMs,
  )
})

describe('the language of the console', () => {
  it('is that of the browser, until a person chooses another one, which follows them', async () => {
    const as = await installation.workspace.employee({ roles: ['Administrator'] })
    const page = await pages.signedIn('/settings/profile', { locale: 'de-AT', as })
    await page.getByRole('heading', { level: 1, name: 'Profil' }).waitFor()
    await page.locator('html[lang="de"]').waitFor()
    await page.getByRole('combobox', { name: 'Sprache' }).click()
    await page.getByRole('option', { name: 'Français' }).click()
    await page.getByRole('heading', { level: 1, name: 'Profil' }).waitFor()
    await page.locator('html[lang="fr"]').waitFor()
    const elsewhere = await pages.signedIn('/leads', { locale: 'es', as })
    await elsewhere.getByRole('navigation').getByRole('link', { name: 'Tâches' }).waitFor()
    await elsewhere.locator('html[lang="fr"]').waitFor()
  })

  it('is that of the browser before somebody signs in', async () => {
    const page = await pages.open({ locale: 'es' })
    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Iniciar sesión', exact: true }).waitFor()
    await page.locator('html[lang="es"]').waitFor()
  })
})
