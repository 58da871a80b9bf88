/** What became of a piece of work. */
export type SideOutcome<Result> =
  | { readonly result: Result }
  | {
      readonly fault: string
      /** The cause is the work itself: it is too large. */ readonly isTooLarge?: boolean
    }

/** The answer of a side process to a piece of work. */
export type SideAnswer<Result> = SideOutcome<Result> & {
  /** The present resident memory. */
  readonly rssBytes: number
}

/** Does the work of the parent process, for the program of a side process. */
export function doSideWork<Work, Result>(perform: (work: Work) => Promise<SideOutcome<Result>>): void {
  process.on('message', ({ work }: { work: Work }) => {
    void perform(work).then((outcome) =>
      process.send?.({ ...outcome, rssBytes: process.memoryUsage.rss() } satisfies SideAnswer<Result>),
    )
  })
  // A signal to the whole process group must not stop work that the parent still finishes; the end of the parent closes the channel.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
}
