import { promise } from '../../stage/drills.ts'
import { tally, type Drill } from '../drill.ts'
import { outcomeOf } from '../../stage/requests.ts'

const letters = 4
const letterBytes = 72 * 1024
/** A word that may break anywhere costs more than others: such a letter takes a quarter of a minute. */
const word = `${'x'.repeat(60)} `
const invoiceWithinMs = 5_000

/** Long letters of one workspace, and an invoice of another one. */
export const pdfs: Drill = {
  name: `${letters} letters of 72 KB are made while another workspace issues an invoice`,
  prepare: async ({ tenant }) => {
    const [writer, seller] = [await tenant(), await tenant()]
    const { data: lead } = await writer.ask<{ data: { id: string } }>({
      path: '/api/leads',
      body: { lastName: 'Reader' },
    })
    const body = word.repeat(Math.floor(letterBytes / word.length))
    const templates = await Promise.all(
      Array.from(
        { length: letters },
        async (_, n) =>
          (await writer.ask<{ data: { id: string } }>({ path: '/api/documents', body: { name: `Letter ${n}`, body } }))
            .data.id,
      ),
    )
    return async () => {
      const began = performance.now()
      const made = templates.map((documentId) =>
        outcomeOf(
          writer.send({
            path: '/api/document-records',
            body: { documentId, entityType: 'LEAD', entityId: lead.id },
            withinMs: 150_000,
          }),
        ),
      )
      const { data: invoice } = await seller.ask<{ data: { id: string } }>({
        path: '/api/invoices',
        body: { currency: 'EUR', items: [{ name: 'Work', quantity: '1', unitPrice: '100' }] },
      })
      await seller.ask({ path: `/api/invoices/${invoice.id}/issue`, body: {} })
      const { status, body: pdf } = await seller.send({ path: `/api/invoices/${invoice.id}/pdf`, withinMs: 60_000 })
      const tookMs = performance.now() - began
      promise(status === 200 && pdf.subarray(0, 5).toString() === '%PDF-', `the invoice answered ${status}`)
      const outcomes = await Promise.all(made)
      promise(
        outcomes.every((outcome) => [201, 400, 503].includes(Number(outcome))),
        `the letters were answered ${tally(outcomes)}`,
      )
      promise(tookMs < invoiceWithinMs, `the invoice took ${(tookMs / 1_000).toFixed(1)} s`)
      return `the invoice took ${(tookMs / 1_000).toFixed(1)} s; letters: ${tally(outcomes)} in ${((performance.now() - began) / 1_000).toFixed(0)} s`
    }
  },
}
