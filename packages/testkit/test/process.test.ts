import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { startProcess } from '../src/index.ts'

const deployable = fileURLToPath(new URL('../../../infra/local/test/deployable.fixture.ts', import.meta.url))

it('runs a deployable as a process of its own until it is stopped', async () => {
  const running = await startProcess(deployable, { BASE_URL: 'http://crm.test', LOG_LEVEL: 'info' })
  expect(await (await fetch(running.url)).json()).toMatchObject({ pid: running.pid, BASE_URL: 'http://crm.test' })
  expect(await running.stop()).toBe(0)
  expect(running.output()).toContain('"closed"')
})

it('shows what a process said that ended before it was ready', async () => {
  await expect(startProcess('/nowhere/main.ts')).rejects.toThrow(
    /ended with 1 before it was ready:[\s\S]*Cannot find module/,
  )
})
