import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Builder, type WebDriver } from 'selenium-webdriver'
import { findProgram } from '../../../infra/local/programs.ts'
import { afterThisFile } from './cleanup.ts'
import { eventually } from './eventually.ts'
import { freePort } from './ports.ts'

export { Key, type WebElement } from 'selenium-webdriver'

const window = { width: 1440, height: 900 }

/** Opens a window of WebKit, the engine of Safari, on a screen of its own. It closes after the test file. */
export async function launchWebKit(): Promise<WebDriver> {
  const [binary] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')
  const screen = start('Xvfb', 'xvfb', ['-displayfd', '1', '-screen', '0', `${window.width}x${window.height}x24`])
  const [display] = (await once(createInterface(screen.stdout), 'line')) as [string]
  const port = await freePort()
  start('WebKitWebDriver', 'webkit2gtk-driver', [`--port=${port}`], { DISPLAY: `:${display}` })
  const server = `http://127.0.0.1:${port}`
  await eventually(() => fetch(`${server}/status`))
  const driver = await new Builder()
    .disableEnvironmentOverrides()
    .usingServer(server)
    .withCapabilities({ browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary, args: ['--automation'] } })
    .build()
  afterThisFile(() => driver.quit())
  await driver
    .manage()
    .window()
    .setRect({ x: 0, y: 0, ...window })
  return driver
}

function start(program: string, debianPackage: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const path = findProgram([program], process.env['PATH'] ?? '')
  if (path === undefined)
    throw new Error(`${program} is missing: apt-get install --no-install-recommends ${debianPackage}`)
  const child = spawn(path, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'] })
  afterThisFile(async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  return child
}
