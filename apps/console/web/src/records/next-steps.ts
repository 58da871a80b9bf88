import { lead } from '@crm/model'
import { useEffect, useSyncExternalStore } from 'react'
import { forgetsWithPerson } from '../base/forget.ts'
import type { RecordPlace } from './record-place.ts'

/** Whether a record without an open task counts as forgotten: an open deal, and a lead that nobody converted yet. */
export function needsNextStep(entityType: string, record: Readonly<Record<string, unknown>>): boolean {
  if (entityType === 'DEAL') return record['status'] === 'OPEN'
  return entityType === lead.entity && record['convertedAt'] === null
}

/** A record whose last open task was just completed. */
export interface Asked {
  readonly record: RecordPlace
  readonly title: string
}

interface State {
  readonly asked: Asked | null
  /** The records whose next step is on the page, which asks for it there. */
  readonly shown: readonly string[]
}

let state: State = { asked: null, shown: [] }
const listeners = new Set<() => void>()

function set(next: Partial<State>): void {
  state = { ...state, ...next }
  for (const listener of listeners) listener()
}

forgetsWithPerson(stopAsking)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Asks for the next step of a record, wherever the person is. */
export function askForNextStep(record: RecordPlace, title: string): void {
  set({ asked: { record, title } })
}

/** Ends the asking, with or without a next step. */
export function stopAsking(): void {
  set({ asked: null })
}

/** Returns whether the next step of a record, which is shown here, is asked for. */
export function useAskedHere({ entityId }: RecordPlace): boolean {
  useEffect(() => {
    set({ shown: [...state.shown, entityId] })
    return () => set({ shown: state.shown.filter((_id, at) => at !== state.shown.indexOf(entityId)) })
  }, [entityId])
  return useSyncExternalStore(subscribe, () => state.asked?.record.entityId === entityId)
}

/** Returns the record whose next step is asked for and shown nowhere on the page. */
export function useAskedElsewhere(): Asked | null {
  return useSyncExternalStore(subscribe, () =>
    state.asked !== null && !state.shown.includes(state.asked.record.entityId) ? state.asked : null,
  )
}
