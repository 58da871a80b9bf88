/** A move of a record from one stage to another. */
export interface StageMoved {
  /** ISO 8601. */
  readonly at: string
  readonly from: string | null
  readonly to: string | null
}

/** A record with a stage, as far as the times in its stages depend on it. */
interface Staged {
  readonly stageId: string
  readonly stageChangedAt: string
  readonly createdAt: string
}

/** The time that a record has been in a stage, in seconds. */
export interface StageTime {
  readonly stageId: string
  readonly seconds: number
}

/**
 * Returns the times of a record in its stages until a moment, the first stage first. `moves` are the newest ones, the newest first;
 * `knowsAll` says that the record made no others. A move that does not lead to the stage of the next one belongs to another
 * record, which was merged into this one.
 */
export function stageTimes(
  record: Staged,
  moves: readonly StageMoved[],
  knowsAll: boolean,
  until: string,
): StageTime[] {
  const stays = [{ stageId: record.stageId, seconds: secondsBetween(record.stageChangedAt, until) }]
  let stage = record.stageId
  let left: string | null = null
  for (const { at, from, to } of moves) {
    if (to !== stage || from === null) continue
    if (left !== null) stays.unshift({ stageId: stage, seconds: secondsBetween(at, left) })
    stage = from
    left = at
  }
  if (left !== null && knowsAll) stays.unshift({ stageId: stage, seconds: secondsBetween(record.createdAt, left) })
  const times = new Map<string, number>()
  for (const { stageId, seconds } of stays) times.set(stageId, (times.get(stageId) ?? 0) + seconds)
  return [...times].map(([stageId, seconds]) => ({ stageId, seconds }))
}

function secondsBetween(from: string, to: string): number {
  const { epochMilliseconds: start } = Temporal.Instant.from(from)
  const { epochMilliseconds: end } = Temporal.Instant.from(to)
  return Math.max(0, Math.floor((end - start) / 1_000))
}
