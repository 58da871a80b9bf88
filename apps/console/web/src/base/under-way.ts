/** The interval at which a running import or export is read. */
export const pollMs = 1_000

/** Whether an import or export is still running. */
export function isUnderWay(state: string | undefined): boolean {
  return state === 'QUEUED' || state === 'RUNNING' || state === 'REVERTING'
}
