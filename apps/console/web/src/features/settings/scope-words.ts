import type { Session } from '../../base/session.ts'
import { t } from './texts.ts'

type Scope = Session['scopes']['allScopes'][number]

/** The scopes of one kind of record. */
export interface ScopeGroup {
  readonly group: string
  readonly scopes: readonly Scope[]
}

/** Returns the scopes that a person holds and can pass on, by group, in the order of the catalogue. */
export function scopeGroups({
  allScopes,
  owned,
}: Pick<Session['scopes'], 'allScopes' | 'owned'>): readonly ScopeGroup[] {
  const held = new Set(owned)
  const groups = Map.groupBy(
    allScopes.filter(({ name }) => held.has(name)),
    ({ group }) => group,
  )
  return [...groups].map(([group, scopes]) => ({ group, scopes }))
}

/** Returns the names of the read-only scopes. */
export function readingScopes(groups: readonly ScopeGroup[]): readonly string[] {
  return groups.flatMap(({ scopes }) => scopes.filter(({ write }) => !write).map(({ name }) => name))
}

/** Summarises the scopes of a key in a few words: how many areas they reach, and in how many they change something. */
export function summarizeScopes(scopes: readonly string[], allScopes: readonly Scope[]): string {
  if (scopes.length === 0) return t('None')
  if (allScopes.length > 0 && allScopes.every(({ name }) => scopes.includes(name))) return t('Everything')
  const given = new Set(scopes)
  const areas = [...Map.groupBy(allScopes, ({ group }) => group).values()]
  const countAreas = (isMeant: (scope: Scope) => boolean) => areas.filter((area) => area.some(isMeant)).length
  const changing = countAreas(({ name, write }) => write && given.has(name))
  const values = { areas: countAreas(({ name }) => given.has(name)), total: areas.length }
  return changing === 0
    ? t('{areas, number} of {total, plural, one {# area} other {# areas}}, read only', values)
    : t('{areas, number} of {total, plural, one {# area} other {# areas}}, {changing, number} can be changed', {
        ...values,
        changing,
      })
}

const dayMs = 24 * 60 * 60 * 1000

export const lifetimes = [
  { value: '30', label: t('{count, plural, one {# day} other {# days}}', { count: 30 }) },
  { value: '90', label: t('{count, plural, one {# day} other {# days}}', { count: 90 }) },
  { value: '365', label: t('{count, plural, one {# day} other {# days}}', { count: 365 }) },
  { value: '', label: t('Never') },
] as const

/** Returns the expiry of a key that is made now, or null for never. */
export function expiryOf(lifetimeDays: string, now: number): string | null {
  return lifetimeDays === '' ? null : new Date(now + Number(lifetimeDays) * dayMs).toISOString()
}

/** Whether a key still works. */
export function keyState(
  { revokedAt, expiresAt }: { readonly revokedAt: string | null; readonly expiresAt: string | null },
  now: number,
): 'active' | 'revoked' | 'expired' {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active'
}
