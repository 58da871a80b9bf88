import { activity } from './kinds/activity.ts'
import { company } from './kinds/company.ts'
import { contact } from './kinds/contact.ts'
import { deal } from './kinds/deal.ts'
import { documentTemplate } from './kinds/document.ts'
import { invoice } from './kinds/invoice.ts'
import { lead } from './kinds/lead.ts'
import { order } from './kinds/order.ts'
import { priceList } from './kinds/price-list.ts'
import { product } from './kinds/product.ts'
import { project } from './kinds/project.ts'
import { quote } from './kinds/quote.ts'
import { task } from './kinds/task.ts'
import { plainKinds } from './plain-kinds.ts'
import type { Kind } from './kind.ts'

/** The kinds of record that every workspace has, by entity type, in the order in which people meet them. */
export const kinds = {
  LEAD: lead,
  DEAL: deal,
  CONTACT: contact,
  COMPANY: company,
  TASK: task,
  PROJECT: project,
  ACTIVITY: activity,
  QUOTE: quote,
  ORDER: order,
  INVOICE: invoice,
  PRODUCT: product,
  PRICE_LIST: priceList,
  DOCUMENT: documentTemplate,
  ...plainKinds,
} as const satisfies { readonly [Entity in string]: Kind & { readonly entity: Entity } }

/** The entity type of a kind of record that every workspace has. */
export type EntityOfKind = keyof typeof kinds
