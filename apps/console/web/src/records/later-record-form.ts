import { later } from '../shell/later.tsx'

/** The form of a record, loaded when it is first opened. */
export const RecordForm = later(async () => (await import('./record-form.tsx')).RecordForm)
