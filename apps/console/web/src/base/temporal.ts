/** Takes the place of the polyfill in pages: what needs it runs in the API. */
export const Temporal = undefined
