import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { takeLock, waitForLock } from '../lock.mjs'

const folder = mkdtempSync(join(tmpdir(), 'crm-lock-'))
afterAll(() => rmSync(folder, { recursive: true }))
let next = 0
const newLock = () => join(folder, `lock-${next++}`)

function release(taken: (() => void) | number): void {
  if (typeof taken === 'function') taken()
}

async function deadPid(): Promise<number> {
  const child = spawn('true')
  await once(child, 'exit')
  return child.pid ?? 0
}

it('is held by one process, whose id it tells, until it is released', () => {
  const file = newLock()
  const taken = takeLock(file)
  expect(readFileSync(file, 'utf8')).toBe(String(process.pid))
  expect(takeLock(file)).toBe(process.pid)
  release(taken)
  expect(existsSync(file)).toBe(false)
})

it('is taken from a process that died', async () => {
  const file = newLock()
  writeFileSync(file, String(await deadPid()))
  const taken = takeLock(file)
  expect(taken).toBeTypeOf('function')
  release(taken)
})

it('is taken by one of many that find the lock of a dead process', async () => {
  const file = newLock()
  const log = `${file}.log`
  writeFileSync(file, String(await deadPid()))
  const module = new URL('../lock.mjs', import.meta.url).href
  // Each holder checks whether another one works at the same time.
  const code = `
    import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
    import { waitForLock } from ${JSON.stringify(module)}
    const release = await waitForLock(${JSON.stringify(file)})
    writeFileSync(${JSON.stringify(`${log}.inside`)}, '', { flag: 'wx' })
    rmSync(${JSON.stringify(`${log}.inside`)})
    appendFileSync(${JSON.stringify(log)}, 'x')
    release()`
  await Promise.all(
    Array.from({ length: 6 }, () => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code])),
  )
  expect(readFileSync(log, 'utf8')).toBe('xxxxxx')
})

it('says once that it waits, and leaves nothing behind', async () => {
  const file = newLock()
  const taken = takeLock(file)
  const told: number[] = []
  const waiting = waitForLock(file, (holder) => told.push(holder))
  await expect.poll(() => told).toEqual([process.pid])
  release(taken)
  release(await waiting)
  expect(told).toHaveLength(1)
  expect(readdirSync(folder).filter((name) => name.startsWith(`${file.split('/').at(-1)}`))).toEqual([])
})
