import { systemScope } from '@crm/db'
import { createWorkspaceFinder, type Workspace } from '@crm/identity'
import { createFixedWindow } from '@crm/redis'
import { countedAddress } from '@crm/runtime'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CrmApiDeps } from '../../../platform/deps.ts'
import { renderPdf } from '../../../pdf/render-pdf.ts'
import { sheetWords } from '../../../pdf/sheet-words.ts'
import { findRecord } from '../../../records/owned/repository.ts'
import { fileNameOf, pdfHeaders } from '../../../domain/commercial/commercial.pdf.ts'
import { amountFormat, makeSheet, type SheetSource } from '../../../domain/commercial/commercial.sheet.ts'
import { findByToken } from './invoices.payment-links.ts'
import { amountDue } from '../../../domain/commercial/amount-due.ts'
import { invoiceKind } from '../../../kinds/invoices.ts'
import { pageHeaders, writeClosedPage, writePaymentPage } from './payment-page.html.ts'

/** Requests for public pages per address and minute. */
const perMinute = 120

interface ByToken {
  readonly Params: { readonly token: string }
}

interface OpenedPage {
  readonly workspace: Workspace
  readonly source: SheetSource & { readonly entityType: 'INVOICE' }
  readonly context: Parameters<typeof makeSheet>[1]
}

/** Serves the public pages of invoices, `/pay/<token>`: without credential, script or cookie (docs/guide/finance.md). */
export function addPaymentPages(app: FastifyInstance, deps: CrmApiDeps): void {
  const findWorkspace = createWorkspaceFinder(deps.pool)
  const limit = createFixedWindow({ redis: deps.redis, name: 'pay', points: perMinute, windowMs: 60_000 })

  const open = async (request: FastifyRequest<ByToken>): Promise<OpenedPage | null> => {
    const workspace = await findWorkspace(request.headers.host ?? '')
    if (!workspace || workspace.modulesOff.has('FINANCE')) return null
    const invoiceId = await findByToken(deps.db, workspace.id, request.params.token, deps.clock.now().toISOString())
    const row = invoiceId ? await findRecord(deps.db, invoiceKind, systemScope(workspace.id), invoiceId) : undefined
    if (!row || row.status === 'VOID') return null
    const context = { workspace, deps, remembered: <T extends object>(_key: string, read: () => Promise<T>) => read() }
    return { workspace, source: { entityType: 'INVOICE', row }, context }
  }

  const answer = async (
    request: FastifyRequest<ByToken>,
    reply: FastifyReply,
    show: (page: OpenedPage) => Promise<FastifyReply>,
  ): Promise<FastifyReply> => {
    const { allowed } = await limit.consume(countedAddress(request.ip))
    if (!allowed)
      return reply
        .code(429)
        .headers({ ...pageHeaders, 'retry-after': '60' })
        .send(writeClosedPage())
    const page = await open(request)
    return page ? show(page) : reply.code(404).headers(pageHeaders).send(writeClosedPage())
  }

  app.get<ByToken>('/pay/:token', (request, reply) =>
    answer(request, reply, async ({ workspace, source, context }) => {
      const sheet = await makeSheet(deps.db, context, source)
      const due = {
        label: sheetWords(workspace.locale).due,
        value: amountFormat(workspace, source.row.currency)(amountDue(source.row)),
      }
      return reply
        .headers(pageHeaders)
        .send(writePaymentPage(sheet, { language: workspace.locale, due, pdfPath: `/pay/${request.params.token}/pdf` }))
    }),
  )

  app.get<ByToken>('/pay/:token/pdf', (request, reply) =>
    answer(request, reply, async ({ workspace, source, context }) => {
      const { content } = await renderPdf(await makeSheet(deps.db, context, source), workspace.id)
      return reply
        .headers({
          ...pdfHeaders(fileNameOf(context, source), content.length),
          'referrer-policy': 'no-referrer',
          'x-robots-tag': 'noindex, nofollow',
        })
        .send(Buffer.from(content))
    }),
  )
}
