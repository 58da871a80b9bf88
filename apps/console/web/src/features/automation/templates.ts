import { lead } from '@crm/model'
import type { TaskRecord, WorkflowStep, WorkflowTrigger } from '@crm/contract'
import { t } from './texts.ts'
import { forCarer, linksTo, type Subject } from './steps.ts'

/** A workflow that people can begin with. */
export interface WorkflowTemplate {
  readonly name: string
  readonly trigger: WorkflowTrigger
  readonly steps: readonly WorkflowStep[]
}

const dayMinutes = 24 * 60

const on = (event: string, conditions: Extract<WorkflowTrigger, { type: 'EVENT' }>['conditions'] = []) =>
  ({ type: 'EVENT', event, conditions }) as const

interface TaskOf {
  readonly title: string
  readonly type?: TaskRecord['type']
  /** What starts the workflow. */
  readonly of: Subject
}

/** Returns a step that adds a task for whoever looks after the record of the event, due on the day on which the step runs. */
const task = ({ title, type = 'TODO', of }: TaskOf): WorkflowStep => ({
  key: 'record',
  name: '',
  type: 'CREATE_RECORD',
  entityType: 'TASK',
  values: { title, ...(type === 'TODO' ? {} : { type }), ...forCarer(of), ...linksTo(of) },
})

const ofLead: Subject = { entityType: lead.entity, isLinkable: true }
const ofDeal: Subject = { entityType: 'DEAL', isLinkable: true }

const wait = (days: number): WorkflowStep => ({ key: 'wait', name: '', type: 'DELAY', minutes: days * dayMinutes })

const isGiven = (field: string) => ({ field, op: 'NE', value: null }) as const

/** A workflow that does nothing until somebody gives it a trigger and steps. */
export const blank: Pick<WorkflowTemplate, 'trigger' | 'steps'> = { trigger: { type: 'MANUAL' }, steps: [] }

/** The templates, the most usual ones first. Their texts are in the language of the person who begins with them. */
export const workflowTemplates: readonly WorkflowTemplate[] = [
  {
    name: t('Call new leads'),
    trigger: on('lead.created'),
    steps: [
      task({
        title: t('Call {name}', { name: '{{trigger.data.firstName}} {{trigger.data.lastName}}' }),
        type: 'CALL',
        of: ofLead,
      }),
    ],
  },
  {
    name: t('Thank new leads by email'),
    trigger: on('lead.created', [isGiven('data.email')]),
    steps: [
      {
        key: 'mail',
        name: '',
        type: 'SEND_EMAIL',
        to: '{{trigger.data.email}}',
        subject: t('Thank you for your interest'),
        body: t('Hello {name},\n\nthank you for your interest. We will contact you soon.', {
          name: '{{trigger.data.firstName}}',
        }),
      },
    ],
  },
  {
    name: t('Turn website forms into leads'),
    trigger: { type: 'WEBHOOK', method: 'POST' },
    steps: [
      {
        key: 'record',
        name: '',
        type: 'CREATE_RECORD',
        entityType: lead.entity,
        values: {
          firstName: '{{trigger.firstName}}',
          lastName: '{{trigger.lastName}}',
          email: '{{trigger.email}}',
        },
      },
    ],
  },
  {
    name: t('Follow up leads after 3 days'),
    trigger: on('lead.created'),
    steps: [
      wait(3),
      task({
        title: t('Follow up with {name}', { name: '{{trigger.data.firstName}} {{trigger.data.lastName}}' }),
        type: 'EMAIL',
        of: ofLead,
      }),
    ],
  },
  {
    name: t('Follow up sent quotes'),
    trigger: on('quote.updated', [{ field: 'data.status', op: 'CHANGED_TO', value: 'SENT' }]),
    steps: [
      wait(3),
      task({
        title: t('Follow up quote {name}', { name: '{{trigger.data.number}}' }),
        of: { entityType: 'QUOTE', isLinkable: false },
      }),
    ],
  },
  {
    name: t('Check large deals'),
    trigger: on('deal.created', [{ field: 'data.amount', op: 'GT', value: 10_000 }]),
    steps: [task({ title: t('Check {name}', { name: '{{trigger.data.name}}' }), of: ofDeal })],
  },
  {
    name: t('Start a project for won deals'),
    trigger: on('deal.won'),
    steps: [
      {
        key: 'record',
        name: '',
        type: 'CREATE_RECORD',
        entityType: 'PROJECT',
        values: { name: '{{trigger.data.name}}' },
      },
    ],
  },
  {
    name: t('Win back lost deals'),
    trigger: on('deal.lost'),
    steps: [
      wait(90),
      task({ title: t('Ask again about {name}', { name: '{{trigger.data.name}}' }), type: 'CALL', of: ofDeal }),
    ],
  },
  {
    name: t('Prepare booked meetings'),
    trigger: on('booking.created'),
    steps: [
      task({
        title: t('Prepare the meeting with {name}', { name: '{{trigger.data.inviteeName}}' }),
        type: 'MEETING',
        of: { entityType: 'BOOKING', isLinkable: false },
      }),
    ],
  },
  {
    name: t('Send a request when a deal is won'),
    trigger: on('deal.won'),
    steps: [
      {
        key: 'request',
        name: '',
        type: 'HTTP_REQUEST',
        url: 'https://example.com/',
        method: 'POST',
        headers: {},
        bodyTemplate: null,
      },
    ],
  },
]
