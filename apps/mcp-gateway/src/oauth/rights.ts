import { permissionCatalogue } from '@crm/permissions'
import type { Tool } from '@crm/tools'

/** A right that a person can give a client. */
export interface OfferedRight {
  readonly name: string
  readonly group: string
  /** In plain words. */
  readonly description: string
  /** How many tools need it. */
  readonly tools: number
  readonly isTicked: boolean
}

interface OfferFacts {
  /** What the person holds. */
  readonly held: ReadonlySet<string>
  /** What the client asks for; undefined: everything. */
  readonly scope: string | undefined
  /** What the person gave the same client before, if they did. */
  readonly earlier: readonly string[] | null
  readonly tools: readonly Tool[]
}

/**
 * Decides which rights are put before a person: those they hold and the client asks for. What is no right here is nothing
 * that the client asks for; who asks for nothing but that is offered reading. Reading is ticked as the last time, and all of
 * it the first time; what changes data never is.
 */
export function planOffer({ held, scope, earlier, tools }: OfferFacts): readonly OfferedRight[] {
  const asked = new Set((scope ?? '').split(' ').filter((name) => catalogued.has(name) || held.has(name)))
  const isAsked = (name: string): boolean =>
    scope?.trim() ? (asked.size === 0 ? isReading(name) : asked.has(name)) : true
  const offered = describedRights(held).filter(({ name }) => isAsked(name))
  const chosenBefore = earlier !== null && offered.some(({ name }) => earlier.includes(name))
  return offered.map((right) => ({
    ...right,
    tools: tools.filter(({ permissions }) => permissions.includes(right.name)).length,
    isTicked: isReading(right.name) && (!chosenBefore || earlier.includes(right.name)),
  }))
}

const isReading = (name: string): boolean => name.startsWith('VIEW_')

const catalogued = new Set<string>(permissionCatalogue.map(({ name }) => name))

/** The rights that a person holds in the order of the catalogue, then those of the workspace's own kinds of record. */
function describedRights(held: ReadonlySet<string>): readonly Pick<OfferedRight, 'name' | 'group' | 'description'>[] {
  const known = permissionCatalogue
    .filter(({ name }) => held.has(name))
    .map(({ name, group, description }) => ({ name, group, description }))
  const own = [...held].filter((name) => !catalogued.has(name)).toSorted()
  return [
    ...known,
    ...own.map((name) => ({
      name,
      group: 'Records of your own kinds',
      description: name.toLowerCase().replaceAll('_', ' '),
    })),
  ]
}
