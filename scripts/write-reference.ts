// `npm run reference`: writes docs/reference from the code; a test checks that the committed pages are current.
import { bookingDocument, publicDocument, settingsDocument } from '@crm/openapi'
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as contracts from '@crm/contract'
import { configPage, type ConfigOfApp } from './reference/config-page.ts'
import { errorsPage } from './reference/errors-page.ts'
import { eventsPage } from './reference/events-page.ts'
import { rightsPage } from './reference/rights-page.ts'
import { statesPage } from './reference/states-page.ts'
import { toolsPage } from './reference/tools-page.ts'

export const referenceDir = fileURLToPath(new URL('../docs/reference', import.meta.url))

/** Returns the text of every page by file name; the same code gives the same text. */
export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['openapi.json', asJson(publicDocument())],
    ['settings-openapi.json', asJson(settingsDocument())],
    ...bookingPage(contracts),
    ['errors.md', errorsPage()],
    ['events.md', eventsPage()],
    ['states.md', statesPage()],
    ['rights.md', rightsPage(contracts.settingsContract, contracts.publicContract)],
    ['tools.md', toolsPage(contracts.publicContract)],
    ['config.md', configPage(await readConfigs())],
  ])
}

/** The booking API has a page as soon as it has a contract. */
function bookingPage(exported: object): [string, string][] {
  if (!('bookingContract' in exported)) return []
  return [
    [
      'booking-openapi.json',
      asJson(bookingDocument(exported.bookingContract as Parameters<typeof bookingDocument>[0])),
    ],
  ]
}

/** Every app declares its environment in its config.ts, and so do the edge and `npm start`. */
async function readConfigs(): Promise<readonly ConfigOfApp[]> {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const files = globSync('apps/*/src/config.ts', { cwd: root }).toSorted()
  const named = [
    ...files.map((file) => [file.split(/[/\\]/)[1] ?? file, file] as const),
    ['edge', 'infra/edge/config.ts'] as const,
    ['npm start', 'infra/local/config.ts'] as const,
  ]
  return Promise.all(
    named.map(async ([app, file]) => ({
      app,
      exported: (await import(pathToFileURL(join(root, file)).href)) as ConfigOfApp['exported'],
    })),
  )
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

if (import.meta.main) {
  for (const [name, text] of await referencePages()) {
    const file = join(referenceDir, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
