import { workspaceLimits } from '@crm/runtime'
import type { PipelineWorkspace } from './exchange.ts'

/** Returns the percentage of a process that a workspace may have. */
export function requestShareOf(workspace: Pick<PipelineWorkspace, 'limits'> | null): number {
  return workspace?.limits?.['requests.share'] ?? workspaceLimits['requests.share'].usual
}
