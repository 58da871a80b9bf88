import { order as kind } from '@crm/model'
import * as z from 'zod'
import { byId, id } from '../fields.ts'
import { pagedList, sortQuery, usualPages } from '../lists.ts'
import { filtersOf, inputOf, patchOf, recordOf, sortFieldsOf } from '../of-kind.ts'
import { resource } from '../resource.ts'
import { data, entityAccess, standard, withUndo } from '../standard.ts'
import { withSummary } from '../summaries.ts'
import { commercialFilters } from './commercial.ts'

export { orderStatuses } from '@crm/model'

/** An order as the API shows it (docs/guide/finance.md). */
export const order = recordOf(kind)
export type OrderRecord = z.output<typeof order>

const orderInput = inputOf(kind)
export type OrderInput = z.output<typeof orderInput>

const orderPatch = patchOf(kind)
export type OrderPatch = z.output<typeof orderPatch>

const orderSortFields = sortFieldsOf(kind)

const mayUpdate = { all: ['UPDATE_ORDER'] } as const

const verb = <const Name extends 'confirm' | 'fulfil' | 'cancel'>(name: Name, summary: string) =>
  ({
    method: 'POST',
    path: `/api/orders/{id}/${name}`,
    summary,
    access: mayUpdate,
    params: byId,
    reply: data(200, order),
    errors: ['INVALID_TRANSITION', 'NUMBER_IN_USE'],
  }) as const

const orderList = pagedList(order, usualPages, {
  ...commercialFilters,
  ...filtersOf(kind),
  ...sortQuery(orderSortFields),
})

export const orders = resource(
  { name: 'orders', entity: kind.entity },
  'FINANCE',
  withUndo({
    ...withSummary(
      standard({
        path: '/api/orders',
        noun: 'order',
        plural: 'orders',
        record: order,
        create: orderInput,
        update: orderPatch,
        list: orderList,
        access: entityAccess('ORDER'),
      }),
      kind.fields,
    ),
    create: {
      method: 'POST',
      path: '/api/orders',
      summary: 'Create an order',
      description: 'A draft; the amounts are computed from the lines. The number is drawn when it is confirmed.',
      access: { all: ['CREATE_ORDER'] },
      body: orderInput,
      reply: data(201, order),
      errors: ['INVALID_CURRENCY'],
    },
    update: {
      method: 'PATCH',
      path: '/api/orders/{id}',
      summary: 'Change an order',
      description: 'After it was confirmed, only owner, tags, notes and dueDate change.',
      access: mayUpdate,
      params: byId,
      body: orderPatch,
      reply: data(200, order),
      errors: ['INVALID_CURRENCY', 'INVALID_TRANSITION'],
    },
    confirm: verb('confirm', 'Confirm an order'),
    fulfil: verb('fulfil', 'Mark a confirmed order as fulfilled'),
    cancel: verb('cancel', 'Cancel an order'),
    invoice: {
      method: 'POST',
      path: '/api/orders/{id}/invoice',
      summary: 'Make an invoice of a confirmed or fulfilled order',
      description: 'Needs the permission to create invoices. The draft has the lines and the parties of the order.',
      access: mayUpdate,
      params: byId,
      reply: data(200, z.object({ order, invoiceId: id })),
      errors: ['INVALID_TRANSITION', 'ACCESS_DENIED', 'INVALID_CURRENCY'],
    },
  }),
)
