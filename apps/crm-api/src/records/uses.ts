import { ApiError } from '@crm/errors'
import { kindOf } from '@crm/model'

/** How many records of a kind use something. */
export interface Use {
  readonly entityType: string
  readonly count: number
}

/** The users of things that are no kind of the model: the words for one and for many. */
const otherUsers: Readonly<Record<string, readonly [one: string, many: string]>> = {
  BOOKING: ['booking', 'bookings'],
  DEPARTMENT: ['department', 'departments'],
  DOCUMENT_RECORD: ['document', 'documents'],
  EMPLOYEE: ['person', 'people'],
  NUMBER: ['number', 'numbers'],
  PRICE_TIER: ['tier', 'tiers'],
  PRODUCT_ATTRIBUTE: ['product attribute', 'product attributes'],
  PRODUCT_CATEGORY: ['product category', 'product categories'],
  SIGN_IN_RULE: ['rule for people who sign in', 'rules for people who sign in'],
}

/** Refuses to delete what is used, and says by what; `hint` says more than that. */
export function refuseUsed(noun: string, uses: readonly Use[], hint?: string): void {
  const found = uses.filter(({ count }) => count > 0)
  if (found.length === 0) return
  const count = found.reduce((sum, use) => sum + use.count, 0)
  throw new ApiError('IN_USE', {
    message: hint ?? `The ${noun} is used by ${sentence.format(found.map(inWords))}`,
    details: { count, uses: found },
  })
}

function inWords({ entityType, count }: Use): string {
  const kind = kindOf(entityType)
  const [one, many] = kind ? [kind.noun, kind.plural] : (otherUsers[entityType] ?? ['record', 'records'])
  return `${count} ${count === 1 ? one : many}`
}

const sentence = new Intl.ListFormat('en-GB')
