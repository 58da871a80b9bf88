import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { judgeFolder, judgeProcesses, judgeRelease } from '../src/doctor/zones.ts'

const folder = mkdtempSync(join(tmpdir(), 'crm-zones-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the rules of time zones', () => {
  it.each([
    ['2026c', '2026-11-27', 'ok'],
    ['2025b', '2026-03-31', 'ok'],
    ['2025b', '2026-04-01', 'warn'],
    ['2019a', '2026-01-01', 'warn'],
    ['unknown', '2026-01-01', 'warn'],
  ])('%s on %s: %s', (release, day, level) => {
    expect(judgeRelease(release, new Date(day))).toMatchObject({ level, sentence: expect.stringContaining(release) })
  })

  it('are the same in all processes, or the doctor names who has which', () => {
    expect(judgeProcesses('2026c', [{ release: '2026c', kinds: ['booking'] }]).level).toBe('ok')
    expect(judgeProcesses('2026c', []).level).toBe('ok')
    expect(
      judgeProcesses('2026c', [
        { release: '2026c', kinds: ['crm-api'] },
        { release: '2026b', kinds: ['booking'] },
        { release: null, kinds: ['webhooks'] },
      ]),
    ).toMatchObject({
      level: 'fail',
      sentence: expect.stringContaining('booking 2026b; webhooks an unknown release'),
    })
  })

  it('of a folder need all its files, which the runtime does not say', () => {
    expect(judgeFolder('')).toEqual([])
    for (const name of ['metaZones', 'timezoneTypes', 'windowsZones']) writeFileSync(join(folder, `${name}.res`), '')
    expect(judgeFolder(folder)).toMatchObject([
      { level: 'fail', sentence: expect.stringMatching(/^zoneinfo64\.res of/) },
    ])
    writeFileSync(join(folder, 'zoneinfo64.res'), '')
    expect(judgeFolder(folder)).toEqual([])
  })
})
