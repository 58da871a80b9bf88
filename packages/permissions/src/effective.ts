/** Why a scope that a credential was given is not effective. */
export type MissingReason = 'OWNER_LACKS' | 'MODULE_DISABLED'

/** The permissions a credential can use: what it asks for (null: everything) within what its owner holds (docs/guide/access.md). */
export function effectivePermissions(
  owned: ReadonlySet<string>,
  requested: readonly string[] | null,
): ReadonlySet<string> {
  return requested === null ? owned : new Set(requested.filter((scope) => owned.has(scope)))
}

/** The given scopes that the owner does not hold. */
export function lackingScopes(owned: ReadonlySet<string>, requested: readonly string[] | null): readonly string[] {
  return (requested ?? []).filter((scope) => !owned.has(scope))
}
