import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const fixture = fileURLToPath(new URL('deployable.fixture.ts', import.meta.url))

async function run(behaviour: string, signal?: NodeJS.Signals) {
  const child = spawn(process.execPath, [fixture, behaviour], { stdio: ['ignore', 'pipe', 'pipe'] })
  if (signal !== undefined) child.stdout.on('data', (line: Buffer) => line.includes('"started"') && child.kill(signal))
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), exited])
  return { stdout, stderr, exitCode }
}

describe('runProcess', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('closes on %s and exits with 0', async (signal) => {
    const { stdout, exitCode } = await run('well-behaved', signal)
    expect(exitCode).toBe(0)
    expect(stdout).toContain('"closed"')
  })

  it('serves on for a while before it closes', async () => {
    const { stdout, exitCode } = await run('draining', 'SIGTERM')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/"closing"[^]*serves on[^]*"closed"/)
  })

  it('closes what it was still starting when the signal came', async () => {
    const { stdout, exitCode } = await run('signalled-while-starting')
    expect(exitCode).toBe(0)
    expect(stdout).toContain('"closed"')
  })

  it('tells a start in progress to give up, and exits with 0', async () => {
    const { stdout, exitCode } = await run('giving-up-its-start')
    expect(exitCode).toBe(0)
    expect(stdout).not.toContain('could not start')
  })

  it('ends with a parent that was killed, although nobody reads its log any more', async () => {
    const parent = spawn(process.execPath, [fileURLToPath(new URL('parent.fixture.ts', import.meta.url)), fixture], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    await once(parent.stdout, 'data')
    parent.kill('SIGKILL')
    // The deployable has inherited standard error, so the stream closes when both processes have ended.
    await text(parent.stderr)
  })

  it('gives up on a close that hangs', async () => {
    const { stdout, exitCode } = await run('stuck', 'SIGTERM')
    expect(exitCode).toBe(1)
    expect(stdout).toContain('closing took too long')
  })

  it('writes a warning of Node as a line of the log', async () => {
    const { stdout, stderr } = await run('warned', 'SIGTERM')
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toContainEqual(
      expect.objectContaining({ level: 'warn', err: expect.objectContaining({ message: 'this will go away' }) }),
    )
    expect(stderr).not.toContain('this will go away')
  })

  it('writes one line per configuration problem', async () => {
    const { stderr, exitCode } = await run('misconfigured')
    expect(exitCode).toBe(1)
    expect(stderr).toBe('fixture: PORT is required: no number\nfixture: DATABASE_URL: not an address\n')
  })

  it('logs an unexpected failure, closes and exits with 1', async () => {
    const { stdout, exitCode } = await run('crashing')
    expect(exitCode).toBe(1)
    expect(stdout).toContain('nobody awaited this')
    expect(stdout).toContain('"closed"')
  })
})

describe('the log', () => {
  const saidIn = (stdout: string): unknown[] =>
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly line?: number })
      .flatMap(({ line }) => line ?? [])
  const all = Array.from({ length: 1_003 }, (_, line) => line)

  it.each([
    ['on a signal', 'chatty', 'SIGTERM', 0],
    ['on a fatal error', 'chatty-and-crashing', undefined, 1],
    ['on exit', 'chatty-and-gone', undefined, 3],
  ] as const)('loses no line %s', async (_when, behaviour, signal, code) => {
    const { stdout, exitCode } = await run(behaviour, signal)
    expect(exitCode).toBe(code)
    expect(saidIn(stdout)).toEqual(all)
    const last = stdout.trim().split('\n').at(-1)
    if (code < 3) expect(last).toContain('"closed"')
    if (code === 1) expect(stdout).toContain('nobody caught this')
  })

  it('gathers lines, and writes few ones soon', async () => {
    const child = spawn(process.execPath, [fixture, 'gathering'], { stdio: ['ignore', 'pipe', 'inherit'] })
    let seen = ''
    child.stdout.on('data', (part: Buffer) => (seen += part.toString()))
    await expect.poll(() => seen).toMatch(/^at once\n[^]*"gathered"[^]*"started"/)
    child.kill('SIGTERM')
    await once(child, 'exit')
  })

  it.each([
    ['stops', 'chatty', 0],
    ['crashes', 'chatty-and-crashing', 1],
  ] as const)('holds up no process that %s when nobody reads it any more', async (_what, behaviour, code) => {
    const child = spawn(process.execPath, [fixture, behaviour], { stdio: ['ignore', 'pipe', 'inherit'] })
    const exited = once(child, 'exit')
    await once(child.stdout, 'data')
    child.stdout.destroy()
    if (code === 0) child.kill('SIGTERM')
    expect(await exited).toEqual([code, null])
  })
})
