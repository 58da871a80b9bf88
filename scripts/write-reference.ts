// `npm run reference`: writes docs/reference and the OpenAPI documents from the code; a test checks that the committed pages are current.
import { bookingDocument, publicDocument, settingsDocument } from '@crm/openapi'
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bookingContract, publicContract, settingsContract } from '@crm/contract'
import { configPage, type ConfigOfApp } from './reference/config-page.ts'
import { errorsPage } from './reference/errors-page.ts'
import { eventsPage } from './reference/events-page.ts'
import { operationsPage } from './reference/operations-page.ts'
import { rightsPage } from './reference/rights-page.ts'
import { statesPage } from './reference/states-page.ts'
import { toolsPage } from './reference/tools-page.ts'

export const referenceDir = fileURLToPath(new URL('../docs/reference', import.meta.url))
/** Where the OpenAPI documents are written, which git does not track. */
const documentsDir = fileURLToPath(new URL('../dist/openapi', import.meta.url))
const documents = {
  'Public API': { file: 'openapi.json', document: publicDocument() },
  'Settings API': { file: 'settings-openapi.json', document: settingsDocument() },
  'Booking API': { file: 'booking-openapi.json', document: bookingDocument(bookingContract) },
}

/** Returns the text of every page by file name; the same code gives the same text. */
export async function referencePages(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    [
      'operations.md',
      operationsPage(Object.fromEntries(Object.entries(documents).map(([title, { document }]) => [title, document]))),
    ],
    ['errors.md', errorsPage()],
    ['events.md', eventsPage()],
    ['states.md', statesPage()],
    ['rights.md', rightsPage(settingsContract, publicContract)],
    ['tools.md', toolsPage(publicContract)],
    ['config.md', configPage(await readConfigs())],
  ])
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
  write(referenceDir, await referencePages())
  write(
    documentsDir,
    Object.values(documents).map(({ file, document }) => [file, asJson(document)]),
  )
}

function write(dir: string, texts: Iterable<readonly [string, string]>): void {
  mkdirSync(dir, { recursive: true })
  for (const [name, text] of texts) writeFileSync(join(dir, name), text)
}
