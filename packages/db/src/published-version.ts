import { and, eq, type SQL } from 'drizzle-orm'
import { workflows, workflowVersions } from './schema/index.ts'

/** Returns the condition by which a workflow is joined with the version of it that is published. */
export function isPublishedVersion(): SQL {
  return and(
    eq(workflowVersions.workspaceId, workflows.workspaceId),
    eq(workflowVersions.workflowId, workflows.id),
    eq(workflowVersions.version, workflows.publishedVersion),
  ) as SQL
}
