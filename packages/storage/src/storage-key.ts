/** Where the bytes of a file of a workspace are in the storage, for every process that keeps or reads them. */
export function storageKey({ workspaceId, id }: { readonly workspaceId: string; readonly id: string }): string {
  return `${workspaceId}/${id}`
}

/** Where the bytes of an export of a workspace are. */
export function exportKey({ workspaceId, id }: { readonly workspaceId: string; readonly id: string }): string {
  return `${workspaceId}/exports/${id}`
}
