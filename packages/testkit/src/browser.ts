import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { firefox } from 'playwright-core-for-firefox'
import { findProgram } from '../../../infra/local/programs.ts'
import { afterThisFile } from './cleanup.ts'
import { watchBrowser } from './evidence.ts'

export interface BrowserOptions {
  /** Flags besides the ones that a container needs, such as `--use-fake-device-for-media-stream`. */
  readonly args?: readonly string[]
}

interface Chromium {
  readonly executablePath: string
  readonly env?: Readonly<Record<string, string>>
}

const cacheDir = fileURLToPath(new URL('../../../.data-test', import.meta.url))

/**
 * Starts a headless Chromium from CHROMIUM_PATH, the PATH, or an npm package, in this order; with `TEST_BROWSER=firefox` the Firefox on the
 * PATH. It closes after the test file.
 */
export async function launchBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const temporary = mkdtempSync(join(tmpdir(), 'crm-browser-'))
  const browser = await (isFirefox() ? launchFirefox(temporary) : launchChromium(temporary, options))
  watchBrowser(browser)
  afterThisFile(async () => {
    await browser.close()
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5 })
  })
  return browser
}

/** Whether browser tests run in Firefox. */
export const isFirefox = (): boolean => process.env['TEST_BROWSER'] === 'firefox'

/** Newer versions of Playwright send commands that the long-lived release of Firefox does not know. */
async function launchFirefox(temporary: string): Promise<Browser> {
  const executablePath = findProgram(['firefox-esr', 'firefox'], process.env['PATH'] ?? '')
  if (executablePath === undefined)
    throw new Error('Firefox is missing: apt-get install --no-install-recommends firefox-esr')
  return (await firefox.launch({
    channel: 'moz-firefox',
    executablePath,
    tracesDir: temporary,
    env: { ...presentOnly(process.env), LC_ALL: 'C.UTF-8', TMPDIR: temporary },
  })) as unknown as Browser
}

async function launchChromium(temporary: string, { args = [] }: BrowserOptions): Promise<Browser> {
  const { executablePath, env } = await findChromium()
  return chromium.launch({
    executablePath,
    // Traces of pages that are closed before their trace ends stay there until the browser does.
    tracesDir: temporary,
    // Chromium's sandbox does not work for root or in most containers; the pages under test are our own.
    args: ['--no-sandbox', '--disable-gpu', '--no-zygote', ...args],
    // Without such a locale in the environment, Chromium cannot name files with letters beyond ASCII.
    // A browser leaves files in the temporary folder when it ends.
    env: { ...presentOnly(process.env), ...env, LC_ALL: 'C.UTF-8', TMPDIR: temporary },
  })
}

async function findChromium(): Promise<Chromium> {
  const { CHROMIUM_PATH, PATH = '' } = process.env
  if (CHROMIUM_PATH !== undefined && CHROMIUM_PATH !== '') return { executablePath: CHROMIUM_PATH }
  const onPath = findProgram(['chromium', 'chromium-browser', 'google-chrome'], PATH)
  return onPath === undefined ? packagedChromium() : { executablePath: onPath }
}

/** Unpacks the Chromium of @sparticuz/chromium once per version; several test files may call it at the same time. */
async function packagedChromium(): Promise<Chromium> {
  const packageDir = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..')
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as { version: string }
  const browserDir = join(cacheDir, `chromium-${version}`)
  if (!existsSync(browserDir)) await unpackChromium(packageDir, browserDir)
  return {
    executablePath: join(browserDir, 'chromium'),
    // The package brings fonts and the shared libraries that a minimal system lacks.
    env: {
      LD_LIBRARY_PATH: join(browserDir, 'al2023', 'lib'),
      FONTCONFIG_FILE: writeFontConfig(browserDir),
    },
  }
}

/** Writes the folder of the unpacked fonts: the package's own file names the folders of its original platform. */
function writeFontConfig(browserDir: string): string {
  const file = join(browserDir, 'fonts.conf')
  const dirs = `<dir>${join(browserDir, 'fonts', 'fonts')}</dir><cachedir>${join(browserDir, 'fonts', 'cache')}</cachedir>`
  writeFileSync(file, `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${dirs}</fontconfig>`)
  return file
}

async function unpackChromium(packageDir: string, browserDir: string): Promise<void> {
  mkdirSync(cacheDir, { recursive: true })
  const workDir = mkdtempSync(`${browserDir}-`)
  // The package unpacks into the temporary folder, and only TMPDIR can change that.
  const script = `
    import chromium, { inflate } from '@sparticuz/chromium'
    await chromium.executablePath()
    await inflate(${JSON.stringify(join(packageDir, 'bin', 'al2023.tar.br'))})
  `
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: packageDir,
    env: { ...process.env, TMPDIR: workDir },
  })
  try {
    renameSync(workDir, browserDir)
  } catch {
    // Another test file was first.
    rmSync(workDir, { recursive: true, force: true })
  }
}

function presentOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
