import { randomUUID } from 'node:crypto'
import type { Api } from './demo.ts'

export type Arguments = Readonly<Record<string, unknown>>
export type Fields = Readonly<Record<string, unknown>>

/** Makes tool calls and counts them. */
export interface Agent {
  /** Calls a tool of the core list; throws when the call is refused. */
  call(name: string, args: Arguments): Promise<Fields>
  /** Calls any other tool through `execute_tool`. */
  execute(name: string, args: Arguments): Promise<Fields>
}

/** A task that people give an AI client. */
export interface Task {
  readonly name: string
  readonly aim: { readonly calls: number; readonly tokens: number }
  /** Makes the records that the task needs, through the API and outside the count. */
  prepare?(api: Api): Promise<Readonly<Record<string, string>>>
  /** Does the task with the calls of a model that knows only the list of tools, and checks the result. */
  run(agent: Agent, prepared: Readonly<Record<string, string>>): Promise<void>
}

function require(isRight: boolean, what: string): void {
  if (!isRight) throw new Error(`The task was not done: ${what}`)
}

interface Row extends Fields {
  readonly id: string
}

const itemsOf = ({ items }: Fields): readonly Row[] => items as readonly Row[]
const dataOf = ({ data }: Fields): Row => data as Row
/** Returns the entry of a list that a model picks. */
const first = (answer: Fields): Row => {
  const [row] = itemsOf(answer)
  if (!row) throw new Error('The list is empty')
  return row
}
const namesOf = ({ tools }: Fields): readonly string[] => (tools as readonly { name: string }[]).map(({ name }) => name)

async function findTools(agent: Agent, query: string, ...wanted: readonly string[]): Promise<void> {
  const found = namesOf(await agent.call('search_tools', { query }))
  for (const name of wanted) require(found.includes(name), `"${query}" finds ${found.join(', ')}, not ${name}`)
}

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()

/** The everyday tasks that measure the core mode. */
export const tasks: readonly Task[] = [
  {
    name: 'deals over 10,000 closing this month, with owners',
    aim: { calls: 1, tokens: 700 },
    prepare: async (api) => {
      for (const [name, amount] of [
        ['Fleet of 12', '48000'],
        ['Annual contract', '21500'],
      ])
        await api('/api/deals', { name, amount, expectedCloseDate: inDays(0).slice(0, 10) })
      return {}
    },
    run: async (agent) => {
      const asked = { amountMin: 10_000, expectedCloseFrom: 'startOfMonth', expectedCloseTo: 'endOfMonth' }
      const { owner } = first(await agent.call('deals_list', { status: 'open', ...asked }))
      require(typeof owner === 'string', 'the owner is not named')
    },
  },
  {
    name: 'log a call, add a follow-up',
    aim: { calls: 3, tokens: 600 },
    run: async (agent) => {
      const lead = first(await agent.call('leads_list', { status: 'IN_PROGRESS', pageSize: 1 }))
      const links = [{ entityType: 'lead', entityId: `lead:${lead.id}` }]
      await agent.call('activities_create', { type: 'call', subject: 'Talked about prices', direction: 'out', links })
      const task = await agent.call('tasks_create', { title: 'Send the offer', dueAt: inDays(2), links })
      require(dataOf(task)['title'] === 'Send the offer', 'there is no task')
    },
  },
  {
    name: 'quote to order to invoice',
    aim: { calls: 9, tokens: 4_500 },
    run: async (agent) => {
      const company = first(await agent.call('companies_list', { pageSize: 3 }))
      const steps = 'create a quote, send the quote, accept the quote, convert the quote to an order, confirm the order'
      const found = namesOf(
        await agent.call('search_tools', { query: `${steps}, invoice the order, issue the invoice`, limit: 7 }),
      )
      require(found.includes('quotes_create') && found.includes('invoices_issue'), `found ${found.join(', ')}`)
      const items = [{ name: 'Consulting', quantity: 2, unitPrice: 950 }]
      const { id } = dataOf(await agent.execute('quotes_create', { companyId: `company:${company.id}`, items }))
      await agent.execute('quotes_send', { id, to: ['buyer@example.com'] })
      await agent.execute('quotes_accept', { id })
      const order = dataOf(await agent.execute('quotes_convert', { id, target: 'order' }))
      await agent.execute('orders_confirm', { id: order.id })
      const { invoiceId } = dataOf(await agent.execute('orders_invoice', { id: order.id }))
      const invoice = dataOf(await agent.execute('invoices_issue', { id: invoiceId }))
      require(invoice['status'] === 'ISSUED', 'the invoice is not issued')
    },
  },
  {
    name: 'find and merge duplicates',
    aim: { calls: 5, tokens: 3_000 },
    prepare: async (api) => {
      const email = `${randomUUID()}@example.com`
      for (const firstName of ['Grace', 'G.'])
        await api('/api/contacts', { firstName, lastName: 'Hopper', email, phone: '+12025550134' })
      return {}
    },
    run: async (agent) => {
      await findTools(agent, 'find and merge duplicate contacts', 'contacts_duplicates', 'contacts_merge')
      const groups = itemsOf(await agent.execute('contacts_duplicates', {}))
      const [target, source] = (groups[0]?.['contacts'] ?? []) as readonly Row[]
      if (!target || !source) throw new Error(`No duplicates in ${JSON.stringify(groups[0])}`)
      for (const { id } of [target, source]) await agent.call('fetch', { id: `contact:${id}` })
      await agent.execute('contacts_merge', { id: target.id, sourceIds: [`contact:${source.id}`] })
    },
  },
  {
    name: 'leads without contact for 30 days',
    aim: { calls: 1, tokens: 1_800 },
    run: async (agent) => {
      const { total } = await agent.call('leads_list', { inactiveSince: '-30d', status: ['new', 'in_progress'] })
      require(Number(total) > 0, 'there is no such lead')
    },
  },
  {
    name: 'pipeline by stage',
    aim: { calls: 1, tokens: 700 },
    run: async (agent) => {
      const asked = { status: 'OPEN', groupBy: 'stageId', measures: 'sum:amount,weighted:amount' }
      const { groups } = await agent.call('deals_summary', asked)
      require((groups as readonly unknown[]).length > 1, 'there are no stages')
    },
  },
  {
    name: 'hand over open deals',
    aim: { calls: 4, tokens: 1_200 },
    run: async (agent) => {
      const { colleagues, me } = await agent.call('describe_workspace', { sections: 'colleagues' })
      const colleague = (colleagues as readonly Row[]).find(({ id }) => id !== (me as Row).id)
      await findTools(agent, 'hand over open deals to a colleague', 'deals_bulk_update')
      const change = {
        filter: { ownerId: 'me', status: 'OPEN' },
        set: { ownerId: `employee:${String(colleague?.id)}` },
      }
      const { matched } = dataOf(await agent.execute('deals_bulk_update', { ...change, dryRun: true }))
      require(Number(matched) > 0, 'there are no deals to hand over')
      const { failed } = dataOf(await agent.execute('deals_bulk_update', change))
      require(failed === 0, 'some deals were not handed over')
    },
  },
  {
    name: 'make a workflow',
    aim: { calls: 1, tokens: 300 },
    run: async (agent) => {
      const { elsewhere } = await agent.call('search_tools', { query: 'make a workflow' })
      require((elsewhere as readonly { url: string }[]).some(({ url }) =>
        url.endsWith('/automation'),
      ), 'nobody says where')
    },
  },
  {
    name: 'overdue invoices',
    aim: { calls: 1, tokens: 500 },
    run: async (agent) => {
      const { items } = await agent.call('invoices_list', { isOverdue: true })
      require((items as readonly Row[]).length > 0, 'there are none')
    },
  },
  {
    name: 'convert a hot lead, plan a meeting',
    aim: { calls: 4, tokens: 1_600 },
    run: async (agent) => {
      const lead = first(await agent.call('leads_list', { temperature: 'hot', status: 'QUALIFIED', pageSize: 3 }))
      await findTools(agent, 'convert a lead', 'leads_convert')
      const { dealId } = dataOf(await agent.execute('leads_convert', { id: lead.id }))
      const links = [{ entityType: 'deal', entityId: dealId }]
      await agent.call('activities_create', { type: 'meeting', subject: 'Kick-off', startAt: inDays(3), links })
    },
  },
  {
    name: 'what happened with a company',
    aim: { calls: 2, tokens: 1_800 },
    prepare: async (api) => {
      const { items } = await api('/api/deals?status=OPEN&sortBy=amount&sortOrder=desc')
      const { companyId } = (items.find((deal) => 'companyId' in deal && deal.companyId !== null) ?? {}) as Fields
      const { data } = await api(`/api/companies/${String(companyId)}`)
      return { company: String((data as Fields)['name']) }
    },
    run: async (agent, { company }) => {
      const { results } = await agent.call('search', { query: company })
      const found = (results as readonly Row[]).find(({ id }) => id.startsWith('company:'))
      const items = itemsOf(await agent.call('feed_list', { companyId: found?.id }))
      require(items.length > 0, 'the feed is empty')
    },
  },
]
