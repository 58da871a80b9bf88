/** Sends a request, as `fetch` does. */
export type Send = (url: string, init: RequestInit) => Promise<Response>
