import { permissionCatalogue } from '@crm/permissions'
import type { Tool } from '@crm/tools'

/** A right that a person can give a client. */
export interface OfferedRight {
  readonly name: string
  readonly group: string
  /** The description in plain words. */
  readonly description: string
  /** The number of tools that need the right. */
  readonly tools: number
  readonly isTicked: boolean
}

interface OfferFacts {
  /** The rights that the person holds. */
  readonly held: ReadonlySet<string>
  /** The scopes that the client asks for; undefined stands for everything. */
  readonly scope: string | undefined
  /** The rights that the person gave the same client before, if any. */
  readonly earlier: readonly string[] | null
  readonly tools: readonly Tool[]
}

/**
 * Decides which rights the person is shown: the rights that they hold and that the client asks for. Unknown names in
 * the request are ignored, and a client that asks only for unknown names is offered the reading rights. Reading rights
 * are ticked as in the last consent, and all of them in the first. Rights that change data are never ticked.
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

/** Returns the rights that a person holds in the order of the catalogue, then the rights of the workspace's own record kinds. */
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
