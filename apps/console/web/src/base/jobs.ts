import { crm } from './api.ts'
import { t } from './texts.ts'

/** A job in the background that has ended well. */
export type FinishedJob = Awaited<ReturnType<typeof crm.jobs.get>>['data']

const pollMs = 1_000
/** After ten minutes something is wrong, and waiting longer does not help. */
const pollsMax = 600

/**
 * Waits for a job in the background, and tells the part that is done, from 0 to 1. Throws when it failed, or did not end within ten
 * minutes.
 */
export async function finishedJob(
  id: string,
  onShare: (share: number) => void = () => undefined,
): Promise<FinishedJob> {
  for (let poll = 0; poll < pollsMax; poll += 1) {
    const job = (await crm.jobs.get({ params: { id } })).data
    if (job.state === 'DONE') return job
    onShare(job.total > 0 ? job.processed / job.total : 0)
    if (job.state !== 'QUEUED' && job.state !== 'RUNNING') break
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
  throw new Error(t('The work did not finish. Try again later.'))
}
