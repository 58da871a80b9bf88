/** How often an import or export is asked for while it is under way. */
export const pollMs = 1_000

/** Whether something still happens with an import or export. */
export function isUnderWay(state: string | undefined): boolean {
  return state === 'QUEUED' || state === 'RUNNING' || state === 'REVERTING'
}
