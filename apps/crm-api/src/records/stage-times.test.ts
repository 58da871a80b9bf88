import { describe, expect, it } from 'vitest'
import { stageTimes } from './stage-times.ts'

const at = (hour: number) => `2026-03-01T${String(hour).padStart(2, '0')}:00:00.000Z`
const hours = (count: number) => count * 3_600
const record = { stageId: 'c', stageChangedAt: at(9), createdAt: at(1) }
const moves = [
  { at: at(9), from: 'b', to: 'c' },
  { at: at(4), from: 'a', to: 'b' },
]

describe('stageTimes', () => {
  it('counts from the creation to the first move, from move to move, and until now', () => {
    expect(stageTimes(record, moves, true, at(11))).toEqual([
      { stageId: 'a', seconds: hours(3) },
      { stageId: 'b', seconds: hours(5) },
      { stageId: 'c', seconds: hours(2) },
    ])
  })

  it('counts a record that never moved since its stage began', () => {
    expect(stageTimes({ ...record, stageChangedAt: at(1) }, [], true, at(3))).toEqual([
      { stageId: 'c', seconds: hours(2) },
    ])
  })

  it('adds up several stays in a stage', () => {
    const back = [{ at: at(10), from: 'c', to: 'a' }, ...moves]
    expect(stageTimes({ ...record, stageId: 'a', stageChangedAt: at(10) }, back, true, at(12))).toEqual([
      { stageId: 'a', seconds: hours(3 + 2) },
      { stageId: 'b', seconds: hours(5) },
      { stageId: 'c', seconds: hours(1) },
    ])
  })

  it('leaves out a stay whose beginning is not known', () => {
    expect(stageTimes(record, moves, false, at(11)).map(({ stageId }) => stageId)).toEqual(['b', 'c'])
  })

  it('passes over moves of a record that was merged into this one', () => {
    const merged = [moves[0]!, { at: at(6), from: 'x', to: 'y' }, moves[1]!]
    expect(stageTimes(record, merged, true, at(11))).toEqual(stageTimes(record, moves, true, at(11)))
  })

  it('never counts less than nothing, whatever the clocks say', () => {
    expect(stageTimes({ ...record, stageChangedAt: at(12) }, [], true, at(11))).toEqual([{ stageId: 'c', seconds: 0 }])
  })
})
