import { LRUCache } from 'lru-cache'

/** Keeps values that were read about workspaces for as long as their epochs stand. */
export interface WorkspaceMemory {
  remembered<T extends object>(key: string, epoch: string | null, read: () => Promise<T>): Promise<T>
}

/** Makes a memory of at most `entriesMax` entries. */
export function createWorkspaceMemory(entriesMax = 5_000): WorkspaceMemory {
  const entries = new LRUCache<string, { readonly epoch: string; readonly value: object }>({ max: entriesMax })
  return {
    remembered: async <T extends object>(key: string, epoch: string | null, read: () => Promise<T>): Promise<T> => {
      const known = entries.get(key)
      if (epoch !== null && known?.epoch === epoch) return known.value as T
      const value = await read()
      if (epoch !== null) entries.set(key, { epoch, value })
      return value
    },
  }
}
