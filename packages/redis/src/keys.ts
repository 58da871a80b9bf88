import { workspaceTag } from './workspace-tag.ts'

/**
 * The kinds of keys, each with the version of the shape of its values.
 *
 * A new shape gets the next version and so keys of its own: during an upgrade a process never meets a value that it does not know, and
 * leaves the values of other versions to them.
 */
const versions = { limit: 1, changed: 1, 'call-seats': 1, presence: 1 } as const

/** Returns the key of a value: `limit.1:sign-in:{workspace}`. */
export function versionedKey(kind: keyof typeof versions, ...parts: readonly string[]): string {
  return [`${kind}.${versions[kind]}`, ...parts].join(':')
}

/**
 * Returns the key of the epoch of a workspace. It is the same for all versions, because each has to learn of rights that another one
 * takes away. An epoch is only compared, so every version can use the values of all others.
 */
export function epochKey(workspaceId: string): string {
  return `epoch:${workspaceTag(workspaceId)}`
}

/** Patterns of all keys, those of other versions too. */
export const keyPatterns: readonly string[] = ['epoch:*', ...Object.keys(versions).map((kind) => `${kind}[.:]*`)]
