/** Returns the hash tag that keeps all keys of a workspace on one node of a Redis cluster. */
export function workspaceTag(workspaceId: string): string {
  return `{${workspaceId}}`
}
