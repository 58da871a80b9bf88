import { useEffect } from 'react'
import type { RecordPlace } from './record-place.ts'

/** A record that this person looked at, as the browser remembers it. */
export interface RecentRecord extends RecordPlace {
  readonly title: string
}

const rememberedMax = 8

/** Each person has a key of their own, because several people may share a browser. */
const keyFor = (personId: string) => `crm:recent:${personId}`

/** Returns the records that a person looked at last, the latest first. */
export function recentRecords(personId: string): readonly RecentRecord[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyFor(personId)) ?? '[]')
    return Array.isArray(kept) ? (kept as RecentRecord[]).filter(({ title }) => typeof title === 'string') : []
  } catch {
    return []
  }
}

/** Remembers that a person looks at a record. */
export function useRemembered(personId: string, { entityType, entityId }: RecordPlace, title: string): void {
  useEffect(() => {
    const others = recentRecords(personId).filter((recent) => recent.entityId !== entityId)
    const kept = [{ entityType, entityId, title }, ...others].slice(0, rememberedMax)
    try {
      localStorage.setItem(keyFor(personId), JSON.stringify(kept))
    } catch {
      // A browser without storage has no recent records.
    }
  }, [personId, entityType, entityId, title])
}
