import { LRUCache } from 'lru-cache'

/** Keeps values that were read about workspaces for as long as their epochs stand. */
export interface WorkspaceMemory {
  remembered<T extends object>(key: string, epoch: string | null, read: () => Promise<T>): Promise<T>
  /** Returns a kept value, or reads it without keeping it. */
  recalled<T extends object>(key: string, epoch: string | null, read: () => Promise<T>): Promise<T>
}

/** Makes a memory of at most `entriesMax` entries. */
export function createWorkspaceMemory(entriesMax = 5_000): WorkspaceMemory {
  const entries = new LRUCache<string, { readonly epoch: string; readonly value: object }>({ max: entriesMax })
  const keptOf = (key: string, epoch: string | null): object | undefined => {
    const known = entries.get(key)
    return epoch !== null && known?.epoch === epoch ? known.value : undefined
  }
  return {
    recalled: async <T extends object>(key: string, epoch: string | null, read: () => Promise<T>): Promise<T> =>
      (keptOf(key, epoch) as T | undefined) ?? read(),
    remembered: async <T extends object>(key: string, epoch: string | null, read: () => Promise<T>): Promise<T> => {
      const kept = keptOf(key, epoch)
      if (kept) return kept as T
      const value = await read()
      if (epoch !== null) entries.set(key, { epoch, value })
      return value
    },
  }
}
