/** The concurrent limits of one address and of all together; 0 sets no limit. */
export interface EdgeBounds {
  /** Connections, and as many current requests; one credential has the same limit. */
  readonly connectionsPerAddress: number
  /** WebSockets. */
  readonly upgradesPerAddress: number
  readonly connectionsMax: number
}

export const usualBounds: EdgeBounds = { connectionsPerAddress: 256, upgradesPerAddress: 64, connectionsMax: 10_000 }

/** The time limits of a client, in milliseconds. */
export interface EdgeDeadlines {
  /** For the headers of a request. */
  readonly headersMs: number
  /** For a whole request; a large file over a slow line takes some minutes. */
  readonly requestMs: number
  /** Between two pieces of a body. */
  readonly pieceMs: number
}

export const usualDeadlines: EdgeDeadlines = { headersMs: 20_000, requestMs: 300_000, pieceMs: 20_000 }

/** Longer than most clients keep an idle connection, so that none is closed while a client writes on it. */
export const keepAliveMs = 65_000

/** A client with too many current requests has to end some of them first. */
export const crowdedRetryAfterS = '5'
