/** Returns the storage key of a workspace's file, for every process that keeps or reads its bytes. */
export function storageKey({ workspaceId, id }: { readonly workspaceId: string; readonly id: string }): string {
  return `${workspaceId}/${id}`
}

/** Returns the storage key of a workspace's export. */
export function exportKey({ workspaceId, id }: { readonly workspaceId: string; readonly id: string }): string {
  return `${workspaceId}/exports/${id}`
}

/** Returns the storage key of a file that a workspace moves in with. */
export function migrationFileKey({ workspaceId, id }: { readonly workspaceId: string; readonly id: string }): string {
  return `${workspaceId}/moving/${id}`
}
