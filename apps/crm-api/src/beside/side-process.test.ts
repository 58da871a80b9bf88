import { untilGone } from '@crm/testkit'
import { afterEach, expect, it, vi } from 'vitest'
import { createSideProcess, type SideProcessOptions } from './side-process.ts'

const usual: SideProcessOptions = {
  main: new URL('./side-process.fixture.ts', import.meta.url),
  workMsMax: 60_000,
  waitMsMax: 60_000,
  waitingMax: 10,
  heapMbMax: 64,
  restingMbMax: 1_000,
  idleMsMax: 60_000,
}

function start(options: Partial<SideProcessOptions> = {}) {
  const side = createSideProcess<string, number>({ ...usual, ...options })
  return { ...side, do: (work: string, owner = 'one') => side.do(work, owner) }
}

afterEach(() => vi.unstubAllEnvs())

it('does one piece of work after another in one process', async () => {
  const side = start()
  const [first, second] = await Promise.all([side.do('tell pid'), side.do('tell pid')])
  expect(first).not.toBe(process.pid)
  expect(second).toBe(first)
  await expect(side.do('fail')).rejects.toThrow('as told')
  expect(await side.do('tell pid')).toBe(first)
})

it('knows nothing of the environment', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://secret')
  const names = await createSideProcess<string, string[]>(usual).do('tell environment', 'one')
  expect(
    names.filter(
      (name) =>
        !['MALLOC_ARENA_MAX', 'NODE_COMPILE_CACHE', 'NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE'].includes(
          name,
        ),
    ),
  ).toEqual([])
})

it.each([
  ['is killed', 'hang', {}, (pid: number) => process.kill(pid, 'SIGKILL'), /SIGKILL/],
  ['takes too long', 'hang', { workMsMax: 3_000 }, () => undefined, /longer than 3000 ms/],
  ['takes too much memory', 'grow', {}, () => undefined, /SIGABRT|SIGTRAP|134/],
])('loses what a process that %s was at, and nothing else', async (_what, trick, options, strike, fault) => {
  const side = start(options)
  const pid = await side.do('tell pid')
  const [lost, waiting] = [side.do(trick), side.do('tell pid')]
  strike(pid)
  await expect(lost).rejects.toThrow(fault)
  expect(await waiting).not.toBe(pid)
  await untilGone(pid)
})

it('tells what has waited too long, and goes on with the rest', async () => {
  const side = start({ waitMsMax: 1 })
  const first = side.do('tell pid')
  await expect(side.do('tell pid')).rejects.toThrow('within 1 ms')
  const pid = await first
  expect(await side.do('tell pid')).toBe(pid)
})

it('works for owners in turn', async () => {
  const side = start()
  const ended: string[] = []
  await Promise.all(
    ['a', 'a', 'a', 'b'].map(async (owner) => {
      await side.do('tell pid', owner)
      ended.push(owner)
    }),
  )
  expect(ended).toEqual(['a', 'a', 'b', 'a'])
})

it('refuses what one owner has too much of, and takes the work of another', async () => {
  const side = start({ waitingMax: 1 })
  const taken = [side.do('tell pid'), side.do('tell pid')]
  await expect(side.do('tell pid')).rejects.toMatchObject({ fault: 'NO_TURN' })
  await Promise.all([...taken, side.do('tell pid', 'another')])
})

it('ends when it is too large to rest, and is replaced', async () => {
  const side = start()
  const [large, next] = await Promise.all([side.do('swell'), side.do('tell pid')])
  expect(next).not.toBe(large)
  await untilGone(large)
})

it('ends when nobody wants anything of it', async () => {
  const side = start({ idleMsMax: 1 })
  side.prepare()
  await untilGone(await side.do('tell pid'))
  expect(await side.do('tell pid')).toBeGreaterThan(0)
})

it('starts anew when it has ended by itself', async () => {
  const side = start()
  const pid = await side.do('tell pid')
  process.kill(pid, 'SIGTERM')
  await untilGone(pid)
  expect(await side.do('tell pid')).not.toBe(pid)
})

it('says when the program does not run', async () => {
  const side = start({ main: new URL('./not-there.ts', import.meta.url) })
  await expect(side.do('tell pid')).rejects.toThrow('ended with 1')
  await expect(side.do('tell pid')).rejects.toThrow('ended with 1')
})
