import { needsNextStep } from '../../records/next-steps.ts'
import type { RecordTab } from '../../records/record-activity.tsx'
import type { AnyRecord } from '../../records/record-calls.ts'
import type { RecordPlace } from '../../records/record-place.ts'
import type { Addressee } from '../activities/email-form.tsx'
import { emailsTab } from '../activities/emails-panel.tsx'
import { documentsTab } from '../documents/documents-panel.tsx'
import { filesTab } from '../files/files-panel.tsx'
import { NextStep, tasksTab } from '../tasks/record-tasks.tsx'

/** The tabs beside the activity of any record. */
export function usualTabs(place: RecordPlace, record: AnyRecord & Addressee): readonly RecordTab[] {
  return [tasksTab(place), emailsTab(place, record), filesTab(place), documentsTab(place)]
}

/** The next step of any record. */
export function UsualNextStep({ place, record }: { readonly place: RecordPlace; readonly record: AnyRecord }) {
  return <NextStep record={place} needsNext={needsNextStep(place.entityType, record)} />
}
