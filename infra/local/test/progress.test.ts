import { describe, expect, it } from 'vitest'
import { createProgress } from '../progress.mjs'
import { explainFailure, runStep } from '../step.ts'

function paper(isTTY: boolean) {
  let text = ''
  return {
    isTTY,
    columns: 80,
    write: (more: string) => (text += more),
    lines: () => text.split('\n').map((line) => line.split('\r\u001B[K').at(-1)),
  }
}

const step = { title: 'Start Redis', doing: 'Starting Redis', remedy: 'see redis.log' }

describe('the progress of a start', () => {
  it('shows each step with a tick and its seconds on a terminal', async () => {
    const terminal = paper(true)
    const progress = createProgress(terminal)
    expect(await progress.step('Start Redis', async () => 7)).toBe(7)
    expect(terminal.lines()).toEqual([expect.stringMatching(/^✓ Start Redis {2}\d+\.\d s$/), ''])
  })

  it('shows steps that run side by side, and the share of one that knows it', async () => {
    const terminal = paper(true)
    const progress = createProgress(terminal)
    const gate = Promise.withResolvers<void>()
    const build = progress.step('Build', () => gate.promise)
    const start = progress.step('Start', async (report) => report(1, 4))
    progress.say('A line between')
    expect(terminal.lines().join('\n')).toMatch(/A line between/)
    await start
    gate.resolve()
    await build
    expect(terminal.lines()).toEqual([
      'A line between',
      expect.stringMatching(/^✓ Start /),
      expect.stringMatching(/^✓ Build /),
      '',
    ])
  })

  it('shows a cross for a step that failed', async () => {
    const terminal = paper(true)
    await expect(
      createProgress(terminal).step('Start Redis', async () => Promise.reject(new Error('no'))),
    ).rejects.toThrow('no')
    expect(terminal.lines()[0]).toMatch(/^✗ Start Redis/)
  })

  it('prints nothing but lines that are said where nobody watches', async () => {
    const file = paper(false)
    const progress = createProgress(file)
    await progress.step('Start Redis', async () => undefined)
    progress.say('Ready')
    expect(file.lines()).toEqual(['Ready', ''])
  })
})

describe('a step that fails', () => {
  it('names itself, the reason and the remedy in one line', async () => {
    const failing = runStep(createProgress(paper(false)), step, async () => Promise.reject(new Error('exit code 1.')))
    await expect(failing).rejects.toMatchObject({ lines: ['Starting Redis failed: exit code 1; see redis.log.'] })
  })

  it('says that the disk is full, however deep that is found', () => {
    const deep = new Error('The query failed', { cause: new Error('could not extend file: No space left on device') })
    expect(explainFailure(step, deep)).toBe('Starting Redis failed: the disk is full; free some space and start again.')
  })

  it('picks the line that names the error from all that a program wrote', () => {
    const output = new Error('• Packages in scope: @crm/errors\n\nsrc/main.ts: error: Unexpected token\n at somewhere')
    expect(explainFailure(step, output)).toBe(
      'Starting Redis failed: src/main.ts: error: Unexpected token; see redis.log.',
    )
  })
})
