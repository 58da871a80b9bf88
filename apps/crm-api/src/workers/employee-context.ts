import { ApiError } from '@crm/errors'
import { readEmployeeCaller, readWorkspace } from '@crm/identity'
import { createContext, type CrmContext } from '../platform/context.ts'
import type { Job } from './job-handler.ts'

/** The employee and workspace of the work. */
interface OnBehalf {
  readonly workspaceId: string
  readonly employeeId: string
}

/** Returns the context of a request that an employee would send now; they may have lost rights since they requested the work. */
export async function employeeContext(
  { deps, tx, at }: Job,
  { workspaceId, employeeId }: OnBehalf,
): Promise<CrmContext> {
  const [workspace, caller] = await Promise.all([
    readWorkspace(deps.pool, workspaceId, { withQuotas: true }),
    readEmployeeCaller(deps.pool, workspaceId, employeeId),
  ])
  if (!workspace || caller?.employee.status !== 'ACTIVE') throw new ApiError('ACCOUNT_DISABLED')
  const context = createContext(
    deps,
    workspace,
    caller,
    {
      address: () => '',
      countedClient: () => ({ key: '', isProxy: false }),
      peer: '',
      headers: {},
      epoch: null,
      setHeader: () => undefined,
    },
    tx,
  )
  // Bounded: it lives as long as the work of one employee.
  const known = new Map<string, Promise<object>>()
  return {
    ...context,
    at,
    remembered: <T extends object>(key: string, read: () => Promise<T>) => {
      const reading = known.get(key) ?? read()
      known.set(key, reading)
      return reading as Promise<T>
    },
  }
}
