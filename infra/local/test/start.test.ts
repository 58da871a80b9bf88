import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createPool } from '@crm/db'
import { connectRedis } from '@crm/redis'
import { bareEnv } from '@crm/testkit'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { commandOf } from '../child.ts'
import { freePort } from '../ports.ts'
import { explainPort } from '../public-port.ts'

const fixture = fileURLToPath(new URL('start.fixture.ts', import.meta.url))
const dataDir = mkdtempSync(join(tmpdir(), 'crm-start-'))
const port = await freePort()
const running = new Set<ChildProcess>()

interface Environment {
  readonly pid: number
  readonly DATABASE_URL: string
  readonly REDIS_URL: string
  readonly BASE_URL: string
  readonly DATA_DIR: string
  readonly CRM_API_URL: string
}

interface Started {
  readonly child: ChildProcess
  readonly output: () => string
  readonly exitCode: Promise<number | null>
}

function launch(): Started {
  const child = spawn(process.execPath, [fixture], {
    env: { ...bareEnv(), DATA_DIR: dataDir, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return {
    child,
    output: () => output,
    exitCode: once(child, 'exit').then(([code]: (number | null)[]) => code ?? null),
  }
}

async function start(): Promise<Started> {
  const started = launch()
  await expect.poll(started.output, { timeout: 30_000 }).toContain(`Ready at http://localhost:${port}`)
  return started
}

async function environmentOf(path: string): Promise<Environment> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`)
  return (await response.json()) as Environment
}

const runFile = () =>
  JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')) as {
    ownerDatabaseUrl: string
    redisUrl: string
    pid: number
  }
const postgresPid = () => Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])

afterEach(async () => {
  for (const child of running) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  running.clear()
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

// The first start creates a cluster, which is slow on a busy machine.
describe('npm start', { timeout: 45_000 }, () => {
  it('hands every deployable what is its own, and stops all without a trace', async () => {
    const { child, output, exitCode } = await start()
    const api = await environmentOf('/api/leads')
    expect(new URL(api.DATABASE_URL).username).toBe('crm_api')
    expect(api).toMatchObject({
      BASE_URL: `http://localhost:${port}`,
      DATA_DIR: dataDir,
      REDIS_URL: runFile().redisUrl,
    })
    expect((await environmentOf('/')).DATABASE_URL).toBe('')
    expect(statSync(join(dataDir, 'run.json')).mode & 0o777).toBe(0o600)

    const pool = createPool({ databaseUrl: runFile().ownerDatabaseUrl, max: 1, applicationName: 'test' })
    await pool.query('create table public.kept (id int)')
    await pool.end()

    child.kill('SIGTERM')
    expect(await exitCode).toBe(0)
    expect(output()).toContain('Stopped.')
    expect(commandOf(api.pid)).toBeUndefined()
    expect(existsSync(join(dataDir, 'run.json'))).toBe(false)
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
  })

  it('finds its data again, at the same ports', async () => {
    await start()
    const pool = createPool({ databaseUrl: runFile().ownerDatabaseUrl, max: 1, applicationName: 'test' })
    expect((await pool.query('select from public.kept')).rowCount).toBe(0)
    await pool.end()
  })

  it('refuses a second one on the same folder, with a sentence', async () => {
    await start()
    const second = launch()
    expect(await second.exitCode).toBe(1)
    expect(second.output()).toMatch(
      /^npm start: npm start is already running on .* \(process \d+\); stop it first.*\n$/,
    )
  })

  it('starts a deployable again that ended by itself', async () => {
    await start()
    const before = await environmentOf('/api/leads')
    expect((await fetch(`http://127.0.0.1:${port}/api/crash`)).status).toBe(503)
    const pidNow = async () => (await environmentOf('/api/leads')).pid
    await expect.poll(pidNow, { timeout: 30_000 }).toEqual(expect.any(Number))
    expect(await pidNow()).not.toBe(before.pid)
  })

  it('starts PostgreSQL and Redis again that ended by themselves, where they were', async () => {
    const { output } = await start()
    const { ownerDatabaseUrl, redisUrl } = runFile()
    process.kill(postgresPid(), 'SIGKILL')
    const { port: redisPort, password } = new URL(redisUrl)
    connect(Number(redisPort), '127.0.0.1').end(`AUTH ${password}\r\nSHUTDOWN NOSAVE\r\n`)
    await expect.poll(output).toMatch(/\[postgres\] ended with SIGKILL; starting again in 0.5 s/)
    await expect.poll(output).toMatch(/\[redis\] ended with 0; starting again in 0.5 s/)

    const pool = createPool({ databaseUrl: ownerDatabaseUrl, max: 1, applicationName: 'test' })
    const isBack = async () => (await pool.query('select from public.kept').catch(() => undefined))?.rowCount
    await expect.poll(isBack, { timeout: 30_000 }).toBe(0)
    await pool.end()
    const redis = await connectRedis(redisUrl, { role: 'test' })
    await expect.poll(redis.isReady, { timeout: 30_000 }).toBe(true)
    await redis.close()
  })

  it('recovers when it was killed, and leaves nothing of the killed one behind', async () => {
    const { child, exitCode } = await start()
    const before = { api: await environmentOf('/api/leads'), ...runFile() }
    child.kill('SIGKILL')
    await exitCode
    await start()
    expect(runFile()).toMatchObject({ ownerDatabaseUrl: before.ownerDatabaseUrl, redisUrl: before.redisUrl })
    await expect.poll(() => commandOf(before.api.pid) ?? '', { timeout: 30_000 }).toBe('')
  })

  it('leaves no process behind when it was killed, even if nobody starts again', async () => {
    const { child, exitCode } = await start()
    const { pid: apiPid } = await environmentOf('/api/leads')
    const databasePid = postgresPid()
    const redisUrl = new URL(runFile().redisUrl)
    child.kill('SIGKILL')
    await exitCode
    await expect.poll(() => [apiPid, databasePid].map(commandOf).join(''), { timeout: 30_000 }).toBe('')
    await expect.poll(() => freePort(Number(redisUrl.port)), { timeout: 30_000 }).toBe(Number(redisUrl.port))
  })

  it('gives up a start that is interrupted', async () => {
    const { child, exitCode, output } = launch()
    const lockHolder = () =>
      existsSync(join(dataDir, 'start.lock')) ? readFileSync(join(dataDir, 'start.lock'), 'utf8') : ''
    await expect.poll(lockHolder, { timeout: 30_000, interval: 5 }).toBe(String(child.pid))
    child.kill('SIGINT')
    expect(await exitCode).toBe(0)
    expect(output()).not.toContain('Ready')
    expect(existsSync(join(dataDir, 'start.lock'))).toBe(false)
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
  })

  it('says which port is taken', async () => {
    const first = await start()
    expect(await refusalOf({})).toEqual([
      1,
      `npm start: Port ${port} is taken by another program; set PORT to a free one.\n`,
      [],
    ])
    expect(first.child.exitCode).toBeNull()
  })

  it('says it too when the port is taken while it starts, and stops what it had started', async () => {
    const late = String(await freePort())
    const [code, complaint, left] = await refusalOf({ PORT: late, PORT_TAKEN_MEANWHILE: 'yes' })
    expect([code, complaint]).toEqual([
      1,
      `npm start: Port ${late} is taken by another program; set PORT to a free one.\n`,
    ])
    expect(left).toContain('postgres')
    expect(left).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(start\.lock|run\.json)$/)]))
  })

  it('says which folder cannot be used, and why', async () => {
    const [code, complaint] = await refusalOf({ PORT: String(await freePort()), DATA_DIR: join(fixture, 'data') })
    expect([code, complaint]).toEqual([
      1,
      `npm start: ${fixture}/data cannot be used (ENOTDIR: not a directory, mkdir '${fixture}/data'); set DATA_DIR to a folder that you may write to.\n`,
    ])
  })

  it.each([fixture, '/dev/null', '/proc/crm/data', '/proc'])(
    'does not take %s for a folder to work in',
    async (path) => {
      const [code, complaint] = await refusalOf({ PORT: String(await freePort()), DATA_DIR: path })
      expect([code, complaint]).toEqual([
        1,
        expect.stringMatching(
          /^npm start: .* cannot be used \(E[A-Z]+: [^\n]*\); set DATA_DIR to a folder that you may write to\.\n$/,
        ),
      ])
    },
  )

  it('says which variables make no sense, one line for each', async () => {
    const [code, complaint, left] = await refusalOf({
      PORT: '0',
      BASE_URL: 'crm.example',
      DATABASE_URL: 'mysql://x',
      REDIS_URL: 'y',
    })
    expect([code, left]).toEqual([1, []])
    expect(complaint.split('\n').map((line) => line.match(/^npm start: \w+/)?.[0])).toEqual([
      'npm start: PORT',
      'npm start: BASE_URL',
      'npm start: DATABASE_URL',
      'npm start: REDIS_URL',
      undefined,
    ])
  })

  it('says that there is no room at a port of the administrator', async () => {
    const refuse = explainPort(80)
    expect(() => refuse(Object.assign(new Error(), { code: 'EACCES' }))).toThrow(
      'Port 80 is kept for the administrator of this machine; set PORT to one above 1023.',
    )
  })

  it('says why the database of DATABASE_URL cannot be used', async () => {
    expect(
      await refusalOf({ PORT: String(await freePort()), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }),
    ).toEqual([1, 'npm start: DATABASE_URL: the database cannot be used: connect ECONNREFUSED 127.0.0.1:1\n', []])
  })

  it('says why the Redis of REDIS_URL cannot be used', async () => {
    const unreachable = await refusalOf({ PORT: String(await freePort()), REDIS_URL: 'redis://127.0.0.1:1' })
    expect(unreachable).toEqual([
      1,
      'npm start: REDIS_URL: the server cannot be used: connect ECONNREFUSED 127.0.0.1:1\n',
      [],
    ])
    const server = new URL(process.env['TEST_REDIS_URL'] ?? '')
    server.password = 'wrong'
    const [code, complaint] = await refusalOf({ PORT: String(await freePort()), REDIS_URL: server.href })
    expect([code, complaint]).toEqual([
      1,
      expect.stringMatching(/^npm start: REDIS_URL: the server cannot be used: WRONGPASS [^\n]*\n$/),
    ])
    const elsewhere = new URL('/9999999', process.env['TEST_REDIS_URL'])
    expect((await refusalOf({ PORT: String(await freePort()), REDIS_URL: elsewhere.href }))[1]).toBe(
      'npm start: REDIS_URL: the server cannot be used: ERR DB index is out of range\n',
    )
  })

  it('leaves data alone that another PostgreSQL has written, and says how it moves', async () => {
    const other = mkdtempSync(join(tmpdir(), 'crm-start-'))
    mkdirSync(join(other, 'postgres'))
    writeFileSync(join(other, 'postgres', 'PG_VERSION'), '17\n')
    const [code, complaint] = await refusalOf({ PORT: String(await freePort()), DATA_DIR: other })
    expect(code).toBe(1)
    expect(complaint).toMatch(
      /postgres holds data of PostgreSQL 17, and this version of workspace-crm brings PostgreSQL 18\./,
    )
    expect(readdirSync(join(other, 'postgres'))).toEqual(['PG_VERSION'])
    rmSync(other, { recursive: true })
  })

  it('leaves data alone that a newer version has written, with one line', async () => {
    const other = mkdtempSync(join(tmpdir(), 'crm-start-'))
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
      version: string
    }
    writeFileSync(join(other, 'version.json'), JSON.stringify({ version: '99.0.0', schema: 0 }))
    expect(await refusalOf({ PORT: String(await freePort()), DATA_DIR: other })).toEqual([
      1,
      `npm start: ${other} was last used by version 99.0.0, and this is ${version}; start the newer one, or set DATA_DIR to another folder.\n`,
      [],
    ])
    writeFileSync(join(other, 'version.json'), JSON.stringify({ version, schema: Date.now() * 2 }))
    const [code, complaint] = await refusalOf({ PORT: String(await freePort()), DATA_DIR: other })
    expect([code, complaint]).toEqual([
      1,
      expect.stringContaining(`was last used by a later state of version ${version}`),
    ])
    rmSync(other, { recursive: true })
  })
})

/** Returns the exit code of a start that has to fail in a folder of its own, its complaint, and the files that it leaves there. */
async function refusalOf(variables: NodeJS.ProcessEnv): Promise<[code: number, complaint: string, left: string[]]> {
  const other = mkdtempSync(join(tmpdir(), 'crm-start-'))
  const child = spawn(process.execPath, [fixture], {
    env: { ...bareEnv(), DATA_DIR: other, PORT: String(port), ...variables },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  const left = readdirSync(other)
  rmSync(other, { recursive: true, force: true })
  return [code, complaint, left]
}
