import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Kind, Field } from '../../records/record-kinds.ts'
import type { WorkflowDraft, WorkflowStep } from './steps.ts'

const field = (key: string, label: string, type: Field['type'], more: Partial<Field> = {}): Field =>
  ({ key, label, type, options: [], references: null, operators: [], group: 'MORE', ...more }) as unknown as Field

/** A kind as the API describes it; its nouns come in the language of the page. */
const lead = {
  key: 'LEAD',
  noun: 'lead',
  plural: 'leads',
  pipelines: [],
  fields: [
    field('email', 'Email', 'EMAIL'),
    field('leadSourceId', 'Source', 'REFERENCE', { references: 'LEAD_SOURCE' }),
    field('ownerId', 'Owner', 'REFERENCE', { references: 'EMPLOYEE' }),
  ],
} as unknown as Kind
const deal = {
  key: 'DEAL',
  noun: 'deal',
  plural: 'deals',
  pipelines: [{ id: 'p', name: 'Sales', isDefault: true, isActive: true, stages: [] }],
  fields: [field('amount', 'Amount', 'CURRENCY'), field('name', 'Name', 'TEXT')],
} as unknown as Kind

const names = new Map([
  ['s-website', 'Website'],
  ['u-nora', 'Nora'],
  ['d-sales', 'Sales'],
  ['w-welcome', 'Welcome'],
  ['stage-won', 'Won'],
])

/** Loads the summary in a language of the console. */
async function summaryIn(language: string) {
  vi.resetModules()
  vi.stubGlobal('window', { localStorage: { getItem: () => language } })
  const { summaryOf, wordsOf } = await import('./summary.ts')
  const { kindInWords } = await import('../../records/kind-words.ts')
  const kinds = [lead, deal].map(kindInWords)
  return (draft: Pick<WorkflowDraft, 'trigger' | 'steps'>) =>
    summaryOf(draft, wordsOf(draft, { kinds, names, currency: 'EUR' }))
}

afterEach(() => vi.unstubAllGlobals())

const task: WorkflowStep = { key: 'a', name: '', type: 'CREATE_RECORD', entityType: 'TASK', values: { title: 'Call' } }
const wait: WorkflowStep = { key: 'b', name: '', type: 'DELAY', minutes: 3 * 24 * 60 }
const assign: WorkflowStep = {
  key: 'c',
  name: '',
  type: 'UPDATE_RECORD',
  entityType: 'LEAD',
  id: '{{trigger.entityId}}',
  values: { ownerId: 'u-nora' },
}
const inTurn: WorkflowStep = {
  key: 'turn',
  name: '',
  type: 'ASSIGN_OWNER',
  entityType: 'LEAD',
  id: '{{trigger.entityId}}',
  among: { departmentId: 'd-sales' },
}
const start: WorkflowStep = { key: 'start', name: '', type: 'START_WORKFLOW', workflowId: 'w-welcome' }
const mail: WorkflowStep = {
  key: 'd',
  name: '',
  type: 'SEND_EMAIL',
  to: '{{trigger.data.email}}',
  subject: '',
  body: '',
}
const fromWebsite = { field: 'data.leadSourceId', op: 'EQ', value: 's-website' } as const
const whenLead = (conditions: readonly object[] = []) =>
  ({ type: 'EVENT', event: 'lead.created', conditions }) as unknown as WorkflowDraft['trigger']

const assigned = { trigger: whenLead([fromWebsite]), steps: [assign] }
const followed = { trigger: whenLead(), steps: [task, wait, mail] }

describe('the summary of a workflow', () => {
  it.each([
    [
      'en',
      'When a lead is created and source is Website, assign the lead to Nora.',
      'When a lead is created, add the task “Call”, then wait 3 days, then send an email to Lead › Email.',
    ],
    [
      'de',
      'Wenn ein Lead erstellt wird und Quelle ist Website, den Lead Nora zuweisen.',
      'Wenn ein Lead erstellt wird, die Aufgabe „Call“ hinzufügen, dann 3 Tage warten, dann eine E-Mail an Lead › E-Mail senden.',
    ],
    [
      'fr',
      'Quand un lead est créé et que source est Website, attribuer le lead à Nora.',
      'Quand un lead est créé, ajouter la tâche « Call », puis attendre 3 jours, puis envoyer un e-mail à Lead › E-mail.',
    ],
    [
      'es',
      'Cuando se crea un lead y origen es Website, asignar el lead a Nora.',
      'Cuando se crea un lead, añadir la tarea «Call», luego esperar 3 días, luego enviar un correo a Lead › Correo.',
    ],
    [
      'ru',
      'Когда создан лид и источник равно Website, назначить ответственного (лид): Nora.',
      'Когда создан лид, добавить задачу «Call», затем подождать 3 дня, затем отправить письмо: Лид › Эл. почта.',
    ],
  ])('is one sentence in %s', async (language, assigning, following) => {
    const summary = await summaryIn(language)
    expect([summary(assigned), summary(followed)]).toEqual([assigning, following])
  })

  it.each([
    ['en', 'When a lead is created, assign the lead to the next person in Sales, then start the workflow “Welcome”.'],
    [
      'de',
      'Wenn ein Lead erstellt wird, den Lead der nächsten Person in Sales zuweisen, dann den Workflow „Welcome“ starten.',
    ],
    [
      'fr',
      'Quand un lead est créé, attribuer le lead à la personne suivante de Sales, puis démarrer le workflow « Welcome ».',
    ],
    [
      'es',
      'Cuando se crea un lead, asignar el lead a la siguiente persona de Sales, luego iniciar el flujo de trabajo «Welcome».',
    ],
    [
      'ru',
      'Когда создан лид, назначить ответственного (лид): следующий сотрудник отдела «Sales», затем запустить сценарий «Welcome».',
    ],
  ])('names the people who take turns and the next workflow in %s', async (language, said) => {
    const summary = await summaryIn(language)
    expect(summary({ trigger: whenLead(), steps: [inTurn, start] })).toBe(said)
  })

  it('names the article, the stage, the branches, and what is still missing', async () => {
    const summary = await summaryIn('en')
    const on = (event: string, conditions: readonly object[] = []) =>
      ({ type: 'EVENT', event, conditions }) as unknown as WorkflowDraft['trigger']
    expect(summary({ trigger: on('invoice.paid'), steps: [] })).toBe('When an invoice is paid, nothing happens yet.')
    const stage = { field: 'data.stageId', op: 'CHANGED_TO', value: 'stage-won' }
    expect(summary({ trigger: on('deal.stage_changed', [stage]), steps: [task] })).toBe(
      'When a deal moves to “Won”, add the task “Call”.',
    )
    const fork: WorkflowStep = {
      key: 'fork',
      name: '',
      type: 'CONDITION',
      if: [{ field: 'trigger.data.amount', op: 'GT', value: 1000 }],
      then: [task],
      else: [wait],
    }
    expect(summary({ trigger: on('deal.won'), steps: [fork] })).toBe(
      'When a deal is won, if amount > €1,000, add the task “Call”, else wait 3 days.',
    )
    expect(summary({ trigger: { type: 'WEBHOOK', method: 'POST' }, steps: [{ ...fork, if: [], else: [] }] })).toBe(
      'When the webhook is called, add the task “Call”.',
    )
    expect(summary({ trigger: { type: 'SCHEDULE', at: '09:00' }, steps: [task] })).toBe(
      'Every day at 09:00, add the task “Call”.',
    )
    const among = (employeeIds: string[]): WorkflowStep => ({ ...inTurn, among: { employeeIds } })
    expect(summary({ trigger: whenLead(), steps: [among(['u-nora', 'u-gone']), among([])] })).toBe(
      'When a lead is created, assign the lead to the next of Nora, then assign the lead to the next person.',
    )
    const unknown = { trigger: whenLead([{ field: 'data.score', op: 'CHANGED_TO', value: 'HOT' }]), steps: [mail] }
    expect(summary(unknown)).toBe(
      'When a lead is created and trigger › Score changed to Hot, send an email to Lead › Email.',
    )
  })
})
