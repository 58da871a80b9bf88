import { parentPort } from 'node:worker_threads'
import { expandCalendar, type ExpandOptions } from './expand-calendar.ts'

// An external calendar may take long to read, or never end: in this thread it delays nobody, and can be stopped.
parentPort?.on('message', ({ text, options }: { readonly text: string; readonly options: ExpandOptions }) =>
  parentPort?.postMessage(expandCalendar(text, options), []),
)
