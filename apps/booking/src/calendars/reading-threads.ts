import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ExpandedCalendar, ExpandOptions } from './expand-calendar.ts'

const readWithinMs = 20_000
const threadMemoryMb = 256

/**
 * Threads that read calendars one after another, because it takes longer to start one than to read most calendars. One that takes too long
 * or too much memory is ended, and the next calendar gets another.
 */
export class ReadingThreads {
  /** Bounded: as many as read at once. */
  readonly #free = new Set<Worker>()

  /** Reads a calendar in a thread of its own; fails when that had to be ended. */
  async read(text: string, options: ExpandOptions): Promise<ExpandedCalendar> {
    const [free] = this.#free
    const thread = free ?? this.#start()
    this.#free.delete(thread)
    try {
      const answered = once(thread, 'message', { signal: AbortSignal.timeout(readWithinMs) })
      thread.postMessage({ text, options }, [])
      const [calendar] = (await answered) as [ExpandedCalendar]
      this.#free.add(thread)
      return calendar
    } catch (error) {
      await thread.terminate()
      throw error
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#free].map((thread) => thread.terminate()))
  }

  #start(): Worker {
    const thread = new Worker(new URL('./expand-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: threadMemoryMb },
    })
    // Without a listener the error of a thread that waits would end the process.
    thread.on('error', () => undefined)
    thread.once('exit', () => this.#free.delete(thread))
    return thread
  }
}
