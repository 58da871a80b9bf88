import { hostName } from '@crm/identity'
import type { ToolDeps } from './deps.ts'

const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/**
 * Whether a page calls its own address, and that address is a name that no workspace has. Then somebody may have
 * pointed the name at this computer to reach it through a browser. Pages of other origins are welcome, because they
 * send a credential of their own.
 */
export async function isRebound(
  { host = '', origin }: { readonly host?: string; readonly origin: string },
  deps: Pick<ToolDeps, 'findWorkspace' | 'isRegisteredHost'>,
): Promise<boolean> {
  if (!URL.canParse(origin) || new URL(origin).host !== host.toLowerCase()) return false
  if (loopbackHosts.includes(hostName(host))) return false
  const workspace = await deps.findWorkspace(host)
  return (
    workspace !== null && new URL(workspace.baseUrl).host !== host.toLowerCase() && !(await deps.isRegisteredHost(host))
  )
}
