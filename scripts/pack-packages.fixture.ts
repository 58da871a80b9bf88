// A program of another team: it is compiled and run outside this repository, against the installed packages.
import { ClientError, createCall, createClient, type CallReply } from '@crm/client'
import { leadInput, leads, me, publicContract, type LeadRecord } from '@crm/contract'
import { errorCodes, isErrorCode, type ErrorCode } from '@crm/errors'
import { effectivePermissions, isPermission, type Permission } from '@crm/permissions'
import { allDayBusy, freeSlots } from '@crm/scheduling'
import { compileTemplate, evaluateConditions, renderJson } from '@crm/templates'

/** Uses every package; its result can be written as JSON. */
export async function consume(baseUrl: string, apiKey: string, firstName: string): Promise<object> {
  const options = { baseUrl, credential: { apiKey }, wait: async () => undefined }
  const crm = createClient({ contract: { leads, me }, ...options })
  const created: CallReply<typeof leads.operations.create> = await crm.leads.create({
    body: { firstName, temperature: 'HOT' },
  })
  const { data }: { data: LeadRecord } = await crm.leads.get({ params: { id: created.data.id ?? '' } })
  const listLeads = createCall(leads.operations.list, options)
  const { items: short } = await listLeads({ query: { search: firstName, fields: ['firstName'], expand: ['owner'] } })
  const { items, total } = await listLeads({ query: { search: firstName, createdFrom: 'today' } })
  const temperature: 'HOT' | 'WARM' | 'COLD' | null = data.temperature
  const wanted: Permission = 'VIEW_LEAD'
  return {
    lead: { firstName: data.firstName, temperature },
    short: short.map((lead) => ({
      keys: Object.keys(lead).toSorted(),
      firstName: lead.firstName,
      owner: typeof lead.owner?.name,
    })),
    listed: [items.map(({ firstName }) => firstName), total],
    refusal: await refusalOf(
      createClient({ contract: publicContract, ...options, credential: { apiKey: 'sk-wrong' } }).leads.list(),
    ),
    validation: leadInput.safeParse({ temperature: 'MILD' }).success,
    day: leads.operations.list.query.parse({ createdFrom: '2026-03-01' }).createdFrom?.toISOString(),
    status: errorCodes.STAGE_NOT_FOUND.status,
    permissions: [
      isPermission('VIEW_LEAD'),
      [...effectivePermissions(new Set([wanted]), ['VIEW_LEAD', 'UPDATE_LEAD'])],
    ],
    slots: freeSlots({
      timezone: 'Europe/Berlin',
      weeklyHours: [{ day: 1, start: '09:00', end: '10:00' }],
      durationMin: 30,
      bufferMin: 0,
      minNoticeMin: 0,
      now: '2026-06-01T00:00:00.000Z',
      busy: [allDayBusy('Europe/Berlin', '2026-06-08', '2026-06-08')],
      from: '2026-06-01T00:00:00.000Z',
      to: '2026-06-14T00:00:00.000Z',
    }),
    template: renderJson(compileTemplate('{ "text": "New lead {{data.name}}" }'), { data: { name: 'Ada' } }),
    condition: evaluateConditions([{ field: 'data.amount', op: 'GT', value: 1000 }], { data: { amount: '1250.00' } }),
  }
}

async function refusalOf(call: Promise<unknown>): Promise<ErrorCode> {
  const error: unknown = await call.catch((cause: unknown) => cause)
  const code = error instanceof ClientError ? error.code : null
  if (code === null || !isErrorCode(code)) throw new Error('The call was not refused as expected')
  return code
}
