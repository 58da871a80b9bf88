import { demo, success } from '@crm/contract'
import { schema } from '@crm/db'
import { invalidField } from '@crm/errors'
import { and, asc, count, desc, eq, inArray, sql } from 'drizzle-orm'
import { implement } from '../../platform/context.ts'
import { insertJob } from '../../platform/jobs.ts'
import { audit } from '../../records/audit.ts'

const { demoRecords, jobs, workspaces } = schema

/** The kind of the job that removes the demo, and the event of its steps. */
export const demoRemoval = 'demo.remove'

export const implementedDemo = implement(demo, {
  get: async (_input, { db, workspace }) => {
    const [named] = await db.select({ name: workspaces.name }).from(workspaces).where(eq(workspaces.id, workspace.id))
    const kinds = await db
      .select({
        kind: demoRecords.kind,
        count: count(),
        kept: sql<number>`(count(*) FILTER (WHERE ${demoRecords.kept}))::int`,
      })
      .from(demoRecords)
      .where(eq(demoRecords.workspaceId, workspace.id))
      .groupBy(demoRecords.kind)
      .orderBy(asc(demoRecords.kind))
    const [job] = await db
      .select({ id: jobs.id, state: jobs.state, processed: jobs.processed, total: jobs.total })
      .from(jobs)
      .where(and(eq(jobs.workspaceId, workspace.id), eq(jobs.kind, demoRemoval)))
      .orderBy(desc(jobs.createdAt), desc(jobs.id))
      .limit(1)
    return success({
      isDemo: kinds.length > 0,
      name: named?.name ?? '',
      total: kinds.reduce((sum, kind) => sum + kind.count, 0),
      kept: kinds.reduce((sum, kind) => sum + kind.kept, 0),
      kinds,
      job: job ?? null,
    })
  },

  remove: async ({ body }, context) =>
    context.transact(async (tx) => {
      const { workspace } = context
      // The lock lets one removal begin at a time.
      const [named] = await tx
        .select({ name: workspaces.name })
        .from(workspaces)
        .where(eq(workspaces.id, workspace.id))
        .for('update')
      if (body.name.trim() !== named?.name.trim()) throw invalidField('name', 'Repeat the name of the workspace')
      const ofWorkspace = eq(demoRecords.workspaceId, workspace.id)
      const [running] = await tx
        .select({ id: jobs.id })
        .from(jobs)
        .where(
          and(
            eq(jobs.workspaceId, workspace.id),
            eq(jobs.kind, demoRemoval),
            inArray(jobs.state, ['QUEUED', 'RUNNING']),
          ),
        )
      if (running) return success({ jobId: running.id })
      // Something that held a record the last time may be gone by now.
      await tx.update(demoRecords).set({ kept: false }).where(and(ofWorkspace, demoRecords.kept))
      const [found] = await tx.select({ total: count() }).from(demoRecords).where(ofWorkspace)
      const total = found?.total ?? 0
      const jobId = await insertJob(tx, context, { kind: demoRemoval, total })
      await audit(tx, context, {
        action: 'demo.removed',
        subjectType: 'WORKSPACE',
        subjectId: workspace.id,
        summary: `Began to remove the ${total} records of the demo`,
      })
      return success({ jobId })
    }),
})
