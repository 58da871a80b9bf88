/** Where the bytes of a file of a workspace are in the storage, for every process that keeps or reads them. */
export function storageKey({ workspaceId, id }: { readonly workspaceId: string; readonly id: string }): string {
  return `${workspaceId}/${id}`
}
