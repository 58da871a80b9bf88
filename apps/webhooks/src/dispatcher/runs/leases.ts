import type { Pool } from '@crm/db'
import type { Logger } from '@crm/runtime'
import { giveBackRun } from './claims.ts'
import type { HeldRun } from './run.ts'

/** The right to work on a run. */
export interface Lease {
  /** A signal that is aborted when another worker took the run over, or somebody cancelled it. */
  readonly lost: AbortSignal
  /**
   * Returns how long the run certainly belongs to this worker, in milliseconds of a monotonic clock; 0 when it no
   * longer does.
   */
  leftMs(): number
  release(): void
}

/** The leases of one process. */
export interface Leases {
  hold(run: HeldRun): Lease
  /** Queues all held runs again, for a process that stops. */
  giveAllBack(): Promise<void>
  close(): void
}

interface Held {
  readonly run: HeldRun
  readonly lost: AbortController
  untilMs: number
}

/** Makes the leases. Each held lease is renewed when a third of it has passed. */
export function createLeases({
  pool,
  leaseMs,
  logger,
}: {
  readonly pool: Pool
  readonly leaseMs: number
  readonly logger: Logger
}): Leases {
  // Bounded: the runs that this process works on.
  const held = new Set<Held>()

  const renew = async (): Promise<void> => {
    const asked = [...held]
    if (asked.length === 0) return
    const askedAtMs = performance.now()
    const { rows } = await pool.query<{ id: string }>({
      name: 'run-renew',
      text: `UPDATE workflow_runs r SET lease_until = now() + $4 * interval '1 millisecond'
        FROM unnest($1::uuid[], $2::uuid[], $3::int[]) AS h (workspace_id, id, epoch)
        WHERE r.workspace_id = h.workspace_id AND r.id = h.id AND r.epoch = h.epoch AND r.state = 'RUNNING' RETURNING r.id`,
      values: [
        asked.map(({ run }) => run.workspaceId),
        asked.map(({ run }) => run.id),
        asked.map(({ run }) => run.epoch),
        leaseMs,
      ],
    })
    const renewed = new Set(rows.map(({ id }) => id))
    for (const lease of asked) {
      if (renewed.has(lease.run.id)) lease.untilMs = askedAtMs + leaseMs
      else if (held.has(lease)) lease.lost.abort()
    }
  }

  const timer = setInterval(
    () => void renew().catch((error: unknown) => logger.warn({ err: error }, 'leases were not renewed')),
    leaseMs / 3,
  )

  return {
    hold: (run) => {
      const lease: Held = { run, lost: new AbortController(), untilMs: performance.now() + leaseMs }
      held.add(lease)
      return {
        lost: lease.lost.signal,
        leftMs: () => (lease.lost.signal.aborted ? 0 : Math.max(0, lease.untilMs - performance.now())),
        release: () => void held.delete(lease),
      }
    },
    giveAllBack: async () => {
      await Promise.all(
        [...held].map(({ run, lost }) => {
          lost.abort()
          return giveBackRun(pool, run)
        }),
      )
    },
    close: () => clearInterval(timer),
  }
}
