import { sealedPlace, type SecretPlace } from '@crm/secrets'

/** Returns the place of the secret header of a workspace's audit stream. */
export function streamHeader(workspaceId: string): SecretPlace {
  return sealedPlace('audit_streams', 'header_value', workspaceId, workspaceId)
}
