/** What one address and all of them may have at once; 0 sets no bound. */
export interface EdgeBounds {
  /** Connections, and as many requests under way; one credential may have as many. */
  readonly connectionsPerAddress: number
  /** WebSockets. */
  readonly upgradesPerAddress: number
  readonly connectionsMax: number
}

export const usualBounds: EdgeBounds = { connectionsPerAddress: 256, upgradesPerAddress: 64, connectionsMax: 10_000 }

/** How long a client may take, in milliseconds. */
export interface EdgeDeadlines {
  /** For the headers of a request. */
  readonly headersMs: number
  /** For a whole request; a large file over a slow line takes some minutes. */
  readonly requestMs: number
  /** Between two pieces of a body. */
  readonly pieceMs: number
}

export const usualDeadlines: EdgeDeadlines = { headersMs: 20_000, requestMs: 300_000, pieceMs: 20_000 }

/** Longer than most clients keep a connection that they do not use, so that none is closed while they write on it. */
export const keepAliveMs = 65_000

/** A client with too much under way has to end some of it first. */
export const crowdedRetryAfterS = '5'
