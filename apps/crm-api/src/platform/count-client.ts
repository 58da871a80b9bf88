import { workspaceTag, type FixedWindow, type Verdict } from '@crm/redis'
import type { CrmContext } from './context.ts'

/**
 * Counts a request of a client in a window.
 * @param behindProxy the number of requests that all clients behind one hiding proxy are allowed together
 */
export function countClient(
  { workspace, countedClient }: Pick<CrmContext, 'workspace' | 'countedClient'>,
  window: FixedWindow,
  behindProxy: number,
): Promise<Verdict> {
  const { key, isProxy } = countedClient()
  return window.consume(`${workspaceTag(workspace.id)}:${key}`, isProxy ? behindProxy : undefined)
}
