import { publicContract } from '@crm/contract'
import { describe, expect, it } from 'vitest'
import { consolePaths, coreMode, shortBody, shortened, suggestedTools, toolCatalogue } from './index.ts'
import { languages, wordsOfLanguages } from './words-of-languages.ts'
import { everydayQuestions } from './everyday-questions.fixture.ts'

const catalogue = toolCatalogue(publicContract)
const core = coreMode(catalogue.tools)
const found = (query: string, limit = 5) => {
  const { tools, elsewhere } = core.search(query, limit, () => true)
  return { names: tools.map((tool) => String(tool['name'])), paths: elsewhere.map(({ path }) => path) }
}

describe('the core mode', () => {
  it('has the tools of everyday work, in order', () => {
    expect(core.tools.slice(0, 6).map(({ name }) => name)).toEqual([
      'search',
      'fetch',
      'describe_workspace',
      'search_tools',
      'execute_tool',
      'leads_list',
    ])
    expect(core.find('describe_workspace')?.tool?.name).toBe('me_workspace')
    expect(core.find('me_workspace')).toBeUndefined()
  })

  it('names known words and formats', () => {
    expect(core.find('leads_list')?.descriptor).toMatchObject({
      description: 'GET /api/leads. Needs VIEW_LEAD.',
      inputSchema: { properties: { status: { type: 'array', items: { enum: expect.arrayContaining(['NEW']) } } } },
      annotations: { readOnlyHint: true },
    })
    expect(core.find('activities_create')?.descriptor).toMatchObject({
      inputSchema: {
        properties: { type: { enum: expect.arrayContaining(['CALL']) }, startAt: { format: 'date-time' } },
        required: ['type'],
      },
      annotations: { readOnlyHint: false, destructiveHint: false },
    })
    expect(core.find('feed_list')?.descriptor).toMatchObject({
      inputSchema: { properties: { limit: { default: 15 } } },
    })
    expect(core.find('tasks_create')?.descriptor).toMatchObject({
      inputSchema: {
        properties: {
          links: { items: { properties: { entityType: { description: expect.stringMatching(/^LEAD, .*…$/) } } } },
        },
      },
    })
    expect(core.find('deals_update')?.descriptor).toMatchObject({
      inputSchema: { properties: { amount: { format: 'decimal' } } },
    })
  })
})

describe('the search for tools', () => {
  it.each([
    ['merge duplicate leads', 'leads_merge'],
    ['find double contacts', 'contacts_duplicates'],
    ['hand over open deals', 'deals_bulk_update'],
    ['reassign my deals to a colleague', 'deals_bulk_update'],
    ['send a bill', 'invoices_send'],
    ['turn a lead into a customer', 'leads_convert'],
    ['accept an offer', 'quotes_accept'],
    ['quote to order', 'quotes_convert'],
    ['invoice an order', 'orders_invoice'],
    ['paid invoice', 'invoices_record_payment'],
    ['log a phone call', 'activities_create'],
    ['add a reminder', 'tasks_create'],
    ['how many deals per stage', 'deals_summary'],
    ['pdf of an invoice', 'invoices_pdf'],
    ['upload an attachment', 'files_upload'],
    ['teammates', 'employees_list'],
    ['vat', 'tax_rates_list'],
  ])('finds what is meant by "%s"', (query, tool) => {
    expect(found(query, 10).names).toContain(tool)
  })

  it.each(everydayQuestions)('answers “%s” among its first five', (question, ...tools) => {
    expect(found(question, 5).names.filter((name) => tools.includes(name))).not.toEqual([])
  })

  it.each([
    ['Kontaktdubletten', 'contacts_duplicates'],
    ['Wie lösche ich alle verlorenen Deals?', 'deals_bulk_delete'],
    ['créer un nouveau devis', 'quotes_create'],
    ['ФАЙЛЫ', 'files_list'],
    // A word of two languages is read in the one that the rest is in.
    ['comment', 'crm_comments_create'],
    ['Comment créer une facture ?', 'invoices_create'],
  ])('reads “%s” in its language', (question, tool) => {
    expect(found(question, 10).names).toContain(tool)
  })

  it('finds a tool for each step of a question in another language', () => {
    const steps = 'Angebot erstellen, Angebot senden, dann Angebot in Auftrag umwandeln'
    expect(found(steps, 10).names.slice(0, 3)).toEqual(['quotes_create', 'quotes_send', 'quotes_convert'])
  })

  it('has every word in all languages', () => {
    const incomplete = wordsOfLanguages.filter(
      ([, ...columns]) =>
        columns.length !== languages.length || !columns.every((said) => /^[\p{L}_*]+(?: [\p{L}_*]+)*$/u.test(said)),
    )
    expect(incomplete).toEqual([])
  })

  it.each([
    ['make a workflow', '/automation'],
    ['Workflow erstellen', '/automation'],
    ['inviter une personne', '/settings/people'],
    ['automate something', '/automation'],
    ['invite a user', '/settings/people'],
    ['create an API key', '/settings/api-keys'],
    ['add a custom field', '/settings/fields'],
  ])('tells where "%s" is done, and shows no tool', (query, path) => {
    expect(found(query)).toMatchObject({ names: [], paths: expect.arrayContaining([path]) })
  })

  it('shows what deletes to who asks for it alone', () => {
    expect(found('hand over open deals to a colleague').names).toEqual(['deals_bulk_update', 'deals_update'])
    expect(found('remove many deals').names).toContain('deals_bulk_delete')
    expect(found('tasks_delete').names).toContain('tasks_delete')
  })

  it('finds a tool for each step of a question', () => {
    const steps =
      'create a quote, send the quote, convert a quote to an order; confirm the order, then invoice the order'
    expect(found(steps, 10).names.slice(0, 5)).toEqual([
      'quotes_create',
      'quotes_send',
      'quotes_convert',
      'orders_confirm',
      'orders_invoice',
    ])
    expect(found('merge, or list', 10).names).toEqual(found('merge or list', 10).names)
  })

  it('finds nothing by words that nobody knows', () => {
    expect(found('xyzzy')).toEqual({ names: [], paths: [] })
    expect(found('%')).toEqual({ names: [], paths: [] })
    expect(found('🙂 _')).toEqual({ names: [], paths: [] })
  })

  it('shows only what the caller may run, and whole schemas', () => {
    const { tools } = core.search('merge leads', 5, ({ name }) => name !== 'leads_merge')
    expect(tools.map((tool) => tool['name'])).not.toContain('leads_merge')
    expect(core.search('leads_create', 1, () => true).tools[0]).toEqual({
      name: 'leads_create',
      description: catalogue.find('leads_create')?.fullDescription,
      inputSchema: catalogue.find('leads_create')?.fullSchema,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    })
  })

  it('describes a tool of the list again only where it is the answer', () => {
    const [best, other] = core.search('hand over open deals to a colleague', 5, () => true).tools
    expect(best).toMatchObject({ name: 'deals_bulk_update', inputSchema: expect.any(Object) })
    expect(other).toEqual({
      name: 'deals_update',
      description: 'Change a deal. Its arguments stand in the list of tools.',
      annotations: expect.any(Object),
    })
    const [listed] = core.search('change a deal', 5, () => true).tools
    expect(listed).toMatchObject({ name: 'deals_update', inputSchema: expect.any(Object) })
  })

  it('names places of the console once each', () => {
    expect(new Set(consolePaths).size).toBe(consolePaths.length)
  })
})

describe('short answers', () => {
  const list = catalogue.find('deals_list')?.short ?? { defaults: {} }

  it('are asked for unless the call says otherwise', () => {
    expect(shortened({ status: 'OPEN' }, list)).toMatchObject({
      status: 'OPEN',
      fields: expect.stringMatching(/^name,/),
      expand: expect.stringContaining('owner'),
      compact: 'true',
    })
    expect(shortened({ fields: 'tags', compact: false }, list)).toEqual({ fields: 'tags', compact: false })
    expect(shortened({ status: 'open' }, list)['fields']).not.toMatch(/status/)
    expect(shortened({ status: ['OPEN', 'WON'] }, list)['fields']).toMatch(/status/)
    expect(shortened({ status: 'OPEN,WON' }, list)['fields']).toMatch(/status/)
    expect(shortened({ expand: 'contact' }, list)).toMatchObject({ expand: 'contact', fields: expect.any(String) })
  })

  it('of a single record have all of its fields', () => {
    expect(catalogue.find('deals_get')?.short.defaults).toEqual({ expand: expect.any(String), compact: 'true' })
    expect(catalogue.find('deals_summary')?.short.defaults).toEqual({ compact: 'true' })
    expect(catalogue.find('deals_create')?.short.defaults).toEqual({})
  })

  it('of a change tell the record and what was sent', () => {
    const record = {
      id: '1',
      createdAt: 'then',
      name: 'D',
      tags: ['a'],
      probability: 5,
      contactId: null,
      status: 'OPEN',
    }
    expect(shortBody({ success: true, data: record }, true, ['id', 'probability'])).toEqual({
      success: true,
      data: { id: '1', name: 'D', status: 'OPEN', probability: 5 },
    })
    expect(shortBody({ success: true, data: { lead: record, dealId: '2', linked: [] } }, true, [])).toEqual({
      success: true,
      data: { lead: { id: '1', name: 'D', status: 'OPEN' }, dealId: '2', linked: [] },
    })
  })

  it('of a change of many tell those that failed', () => {
    const results = [
      { id: '1', status: 'OK' },
      { id: '2', status: 'ERROR', code: 'NOT_FOUND', message: 'No' },
    ]
    expect(shortBody({ success: true, data: { matched: 2, failed: 1, results, updated: 1 } }, true, ['ids'])).toEqual({
      success: true,
      data: { matched: 2, failed: 1, results: results.slice(1), updated: 1 },
    })
  })

  it('keep what stands beside the records, though it is empty', () => {
    expect(shortBody({ items: [], total: 0, nextCursor: null }, false, [])).toEqual({
      items: [],
      total: 0,
      nextCursor: null,
    })
    const items = [{ id: '1', createdAt: 'then', note: null, tags: [] }]
    expect(shortBody({ items }, false, [])).toEqual({ items: [{ id: '1', createdAt: 'then' }] })
  })
})

describe('a tool that there is not', () => {
  const names = catalogue.tools.map(({ name }) => name)

  it.each([
    ['leads_lst', 'leads_list'],
    ['list_deals', 'deals_list'],
    ['createInvoice', 'invoices_create'],
  ])('%s is taken for %s', (wrong, nearest) => {
    expect(suggestedTools(wrong, names)[0]).toBe(nearest)
  })

  it('is taken for none that is far away', () => {
    expect(suggestedTools('xyzzy', names)).toEqual([])
  })
})
