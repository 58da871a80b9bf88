import type { Metrics } from '@crm/runtime'
import type { ToolCatalogue } from '@crm/tools'
import type { DiscoveryDeps } from '../discovery/deps.ts'
import type { ConfirmationDeps } from './confirming.ts'
import type { CredentialDeps } from './credential.ts'
import type { CrmApi } from './crm-api.ts'

/** The resources of the tools. */
export interface ToolDeps extends CredentialDeps, ConfirmationDeps, DiscoveryDeps {
  /** Whether a host is registered to a workspace by name. */
  isRegisteredHost(host: string): Promise<boolean>
  readonly crmApi: CrmApi
  readonly catalogue: ToolCatalogue
  readonly metrics: Metrics
}
