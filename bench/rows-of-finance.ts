import type { LatencyRow } from './rows-of-others.ts'
import type { LoadedWorkspace, Process } from './stage.ts'

const lineCount = 50

/** Measures an invoice with many lines, discounts and taxes: its totals, its writes and its event. */
export function createInvoiceRow(api: Process, { host, keys }: LoadedWorkspace): LatencyRow {
  const items = Array.from({ length: lineCount }, (_, n) => ({
    name: `Position ${n}`,
    description: 'What was done',
    quantity: '1.5',
    unitPrice: `${n}.99`,
    discount: { type: 'PERCENT', value: '5' },
  }))
  const body = JSON.stringify({ currency: 'EUR', items, discount: { type: 'PERCENT', value: '3' } })
  return {
    what: `invoice of ${lineCount} lines created`,
    load: {
      on: api,
      status: 201,
      request: (n) => ({
        method: 'POST',
        path: '/api/invoices',
        headers: { host, authorization: `Bearer ${keys[n % keys.length]}`, 'content-type': 'application/json' },
        body,
      }),
    },
    connections: 4,
    p95MsMax: 30,
  }
}
