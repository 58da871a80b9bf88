import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterThisFile } from './cleanup.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const failures = join(root, '.data-test', 'failures')
const linesKept = 50

/** Writes what it knows into a folder of a failed test; returns the names of the files. */
type Witness = (folder: string) => Promise<readonly string[]> | readonly string[]

// Bounded: each leaves with its test file, or is a browser of the whole process.
const witnesses = new Set<Witness>()

/** Asks a witness after each test of this file that fails. */
function askWhenFailed(witness: Witness): void {
  witnesses.add(witness)
  afterThisFile(() => void witnesses.delete(witness))
}

/** Returns a text whose end is kept when a test fails, such as the log of a service. */
export function keepTail(name: string, text: () => string): void {
  askWhenFailed((folder) => {
    const tail = text().trimEnd().split('\n').slice(-linesKept).join('\n')
    if (tail === '') return []
    writeFileSync(join(folder, `${name}.log`), `${tail}\n`)
    return [`${name}.log`]
  })
}

/** Writes the evidence of a failed test, that of a second try beside that of the first; returns one line that names it. */
export async function leaveEvidence(test: string, isSecondTry = false): Promise<string> {
  const folder = join(failures, test.replaceAll(/[^\w.-]+/g, '-').slice(0, 150), isSecondTry ? 'second-try' : '.')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const found: string[] = []
  for (const witness of witnesses)
    found.push(...(await Promise.resolve(witness(folder)).catch((error: Error) => [`(${error.message})`])))
  return `${relative(root, folder)}: ${found.length > 0 ? [...new Set(found)].join(', ') : 'no service wrote anything'}`
}

let isTraced = false
const traced = new Set<BrowserContext>()

/** Traces the pages that are opened from now on: those of the second try of a failed test. */
export function beginTrace(): void {
  isTraced = true
}

/** Traces nothing any more, not even pages with which the next test goes on. */
export async function endTrace(): Promise<void> {
  isTraced = false
  await Promise.all([...traced].map((context) => context.tracing.stop().catch(() => undefined)))
  traced.clear()
}

/** Keeps the pictures of pages, their consoles, and traces of second tries. */
export function watchBrowser(browser: Browser): void {
  const said = new WeakMap<BrowserContext, string[]>()
  browser.on('context', (context) => {
    const lines: string[] = []
    said.set(context, lines)
    context.on('console', (message) => void lines.push(`${message.type()}: ${message.text()}`))
    context.on('weberror', (error) => void lines.push(`error: ${String(error.error())}`))
    if (!isTraced) return
    traced.add(context)
    context.on('close', () => traced.delete(context))
    // A page that closes meanwhile has no trace.
    void context.tracing.start({ snapshots: true }).catch(() => undefined)
  })
  askWhenFailed(async (folder) => {
    const files: string[] = []
    for (const [at, context] of browser.contexts().entries()) {
      for (const [n, page] of context.pages().entries())
        files.push(await picture(page, folder, `page-${at + 1}.${n + 1}.png`))
      const lines = said.get(context) ?? []
      if (lines.length > 0) {
        writeFileSync(join(folder, `console-${at + 1}.log`), `${lines.slice(-linesKept * 4).join('\n')}\n`)
        files.push(`console-${at + 1}.log`)
      }
      if (!traced.delete(context)) continue
      await context.tracing.stop({ path: join(folder, `trace-${at + 1}.zip`) })
      files.push(`trace-${at + 1}.zip`)
    }
    return files
  })
}

async function picture(page: Page, folder: string, name: string): Promise<string> {
  await page.screenshot({ path: join(folder, name), timeout: 5_000 })
  return name
}
