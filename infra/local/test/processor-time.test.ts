import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { processorSeconds, startWatch } from '../processor-time.ts'

it.runIf(existsSync('/proc/self/stat'))('counts what ended children needed', () => {
  const before = processorSeconds() ?? 0
  execFileSync(process.execPath, ['-e', 'const busy = process.cpuUsage(); while (process.cpuUsage(busy).user < 3e5);'])
  expect((processorSeconds() ?? 0) - before).toBeGreaterThan(0.25)
})

it('tells both times', () => expect(startWatch()()).toMatch(/^0 s(, 0 s of processor time)?$/))
