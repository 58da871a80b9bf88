/** Tells how much of a step is done. */
export type Report = (done: number, of: number) => void

export interface Progress {
  /** Runs a step and shows its title, its share where it is known, and its time. Fails as the step fails. */
  step<T>(title: string, work: (report: Report) => Promise<T>): Promise<T>
  /** Prints a line, on a terminal or not. */
  say(line: string): void
}

/** Shows the steps of a start on a terminal, each with its time. Elsewhere it shows nothing, so that only results are printed. */
export function createProgress(stream?: {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}): Progress

/** How long ago a moment was, in milliseconds since 1970, such as `3.6 s`. */
export function seconds(startedAt: number): string
