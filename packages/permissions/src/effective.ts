/** The reason why a scope of a credential is not effective. */
export type MissingReason = 'OWNER_LACKS' | 'MODULE_DISABLED'

/** Returns the permissions that a credential can use: its scopes (null: all) that its owner has (docs/guide/access.md). */
export function effectivePermissions(
  owned: ReadonlySet<string>,
  requested: readonly string[] | null,
): ReadonlySet<string> {
  return requested === null ? owned : new Set(requested.filter((scope) => owned.has(scope)))
}

/** Returns the given scopes that the owner does not have. */
export function lackingScopes(owned: ReadonlySet<string>, requested: readonly string[] | null): readonly string[] {
  return (requested ?? []).filter((scope) => !owned.has(scope))
}
