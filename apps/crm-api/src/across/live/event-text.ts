import { Readable } from 'node:stream'

/** The longest text that a reader leaves unread; a slower reader is cut off and goes on from its last event. */
const unreadMax = 256 * 1024

/** Server-sent events as text. Positions are times in milliseconds; a reader names its last position when it connects again. */
export class EventText {
  readonly body = new Readable({ read: () => undefined })
  #beatAtMs: number
  #isEnded = false

  constructor(nowMs: number) {
    this.#beatAtMs = nowMs
    this.beat(nowMs)
  }

  get beatAtMs(): number {
    return this.#beatAtMs
  }

  /** Writes a position alone: the reader goes on from it after a broken connection, however quiet it was. */
  beat(nowMs: number): void {
    this.#beatAtMs = nowMs
    this.#write(`: alive\nid: ${nowMs}\n\n`)
  }

  /** Writes an event. */
  send(nowMs: number, event: 'change' | 'inbox' | 'reset' | 'end', data: object = {}): void {
    this.#write(`id: ${nowMs}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  /** Ends the text; what is written later is dropped. */
  end(): void {
    this.#isEnded = true
    this.body.push(null)
  }

  #write(text: string): void {
    if (this.#isEnded || this.body.destroyed) return
    this.body.push(text)
    if (this.body.readableLength > unreadMax) this.body.destroy()
  }
}
