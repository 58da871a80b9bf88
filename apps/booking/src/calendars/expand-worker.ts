import { parentPort, workerData } from 'node:worker_threads'
import { expandCalendar, type ExpandOptions } from './expand-calendar.ts'

// A calendar of elsewhere may take long to read, or never end: here it keeps nobody waiting, and can be stopped.
const { text, options } = workerData as { readonly text: string; readonly options: ExpandOptions }
parentPort?.postMessage(expandCalendar(text, options), [])
