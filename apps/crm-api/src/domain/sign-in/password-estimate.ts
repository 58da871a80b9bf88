import { ApiError } from '@crm/errors'
import type { EstimatePassword } from '@crm/identity'
import { createSideProcess, SideProcessError } from '../../beside/side-process.ts'

/** The work of the process that estimates passwords (`main-passwords.ts`). */
export interface PasswordToEstimate {
  readonly password: string
  readonly known: readonly string[]
}

const estimator = createSideProcess<PasswordToEstimate, number>({
  main: new URL('../../main-passwords.ts', import.meta.url),
  workMsMax: 30_000,
  waitMsMax: 30_000,
  waitingMax: 20,
  heapMbMax: 128,
  restingMbMax: 300,
  idleMsMax: 5_000,
})

const retryAfterS = 2

/** Returns an estimate that is made in a process of its own, which ends soon after; the workspaces take turns. */
export function estimateFor(workspaceId: string): EstimatePassword {
  return (password, known) =>
    estimator.do({ password, known }, workspaceId).catch((error: unknown) => {
      if (!(error instanceof SideProcessError) || error.fault === 'FAILED') throw error
      throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterS })
    })
}
