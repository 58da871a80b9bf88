import { eventually, testScratchDir } from '@crm/testkit'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createLogFile } from '../log-file.ts'

it('drops lines that the disk does not take, says so once, and goes on when it does', async () => {
  const folder = join(testScratchDir(), 'logs')
  const said: string[] = []
  const log = createLogFile(join(folder, 'api.log'), (line) => said.push(line))
  log.line('lost')
  await eventually(() => expect(said).toEqual([expect.stringMatching(/^the log takes no lines: ENOENT/)]))
  mkdirSync(folder)
  await eventually(() => {
    log.line('kept')
    expect(readFileSync(join(folder, 'api.log'), 'utf8')).toMatch(/^(kept\n)+$/)
  })
  expect(said).toHaveLength(1)
  log.end()
  log.line('too late')
})
