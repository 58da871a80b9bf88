import * as z from 'zod'
import { byId, day, id, instant, shownDay } from '../fields.ts'
import { enumFilter } from '../filters.ts'
import { pagedList, sortQuery, usualPages } from '../lists.ts'
import { resource } from '../resource.ts'
import { data, entityAccess, standard, withUndo } from '../standard.ts'
import { withSummary } from '../summaries.ts'
import { commercialFields, commercialFilters, commercialInput, commercialPatch } from './commercial.ts'

export const orderStatuses = ['DRAFT', 'CONFIRMED', 'FULFILLED', 'CANCELLED'] as const

/** An order as the API shows it (docs/guide/finance.md). */
export const order = z.object({
  ...commercialFields,
  status: z.enum(orderStatuses),
  dueDate: shownDay,
  quoteId: id.nullable(),
  invoiceId: id.nullable(),
  confirmedAt: instant.nullable(),
  fulfilledAt: instant.nullable(),
  cancelledAt: instant.nullable(),
})
export type OrderRecord = z.output<typeof order>

const due = { dueDate: day.nullable().optional() }

const orderInput = z.strictObject({ ...commercialInput, ...due })
export type OrderInput = z.output<typeof orderInput>

const orderPatch = z.strictObject({ ...commercialPatch, ...due })
export type OrderPatch = z.output<typeof orderPatch>

const orderSortFields = ['createdAt', 'updatedAt', 'number', 'status', 'issueDate', 'dueDate', 'total'] as const

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
  status: enumFilter({ values: orderStatuses }).optional(),
  ...sortQuery(orderSortFields),
})

export const orders = resource(
  'orders',
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
