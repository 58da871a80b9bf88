import { newId, schema } from '@crm/db'
import type { Member } from './members.ts'
import type { DemoDeal, DemoLead, Subject } from './sales.ts'
import {
  add,
  addLinks,
  addRecords,
  between,
  dayOf,
  daysAhead,
  later,
  pickOwner,
  type RecordRef,
  type Story,
} from './story.ts'

const projectCount = 10
const choreCount = 110

interface Chore {
  readonly title: string
  readonly type: 'CALL' | 'EMAIL' | 'MEETING' | 'TODO'
  readonly checklist: readonly string[]
}

const chores: readonly Chore[] = [
  {
    title: 'Prepare the offer',
    type: 'TODO',
    checklist: ['Check the quantities', 'Ask for the discount', 'Have it read by a colleague'],
  },
  { title: 'Send references', type: 'EMAIL', checklist: [] },
  { title: 'Call back', type: 'CALL', checklist: [] },
  {
    title: 'Show the product',
    type: 'MEETING',
    checklist: ['Choose the examples', 'Invite the team', 'Test the connection'],
  },
  { title: 'Draft the contract', type: 'TODO', checklist: ['Terms', 'Start date', 'Support hours', 'Signature'] },
  { title: 'Agree on the next steps', type: 'CALL', checklist: [] },
]
const steps: readonly Chore[] = [
  { title: 'Kick-off', type: 'MEETING', checklist: ['Agenda', 'Contacts on both sides', 'Dates'] },
  {
    title: 'Bring over the data',
    type: 'TODO',
    checklist: ['Get the export', 'Try with a few records', 'Bring over all of them', 'Have it checked'],
  },
  { title: 'Train the users', type: 'MEETING', checklist: ['Dates', 'Material'] },
  { title: 'Set up roles and departments', type: 'TODO', checklist: [] },
  { title: 'Ask how the first month went', type: 'EMAIL', checklist: [] },
]
const remarks = [
  'Waiting for an answer of the customer.',
  'Half of it is done.',
  'Please have a look before it goes out.',
]

interface Project {
  readonly id: string
  readonly deal: DemoDeal
  readonly isOver: boolean
}

/** Something to do, with the project or the records that it belongs to. */
interface Wish extends Chore {
  readonly project: Project | null
  readonly links: readonly RecordRef[]
  readonly owner: Member
  readonly since: string
}

/** Adds projects for won deals, and tasks in them and on leads and deals: some done, some overdue. */
export async function addWork(
  story: Story,
  leads: readonly DemoLead[],
  deals: readonly DemoDeal[],
): Promise<ReturnType<typeof inventTask>['row'][]> {
  const { random } = story
  const projects = await addProjects(story, deals)
  const wishes = [
    ...projects.flatMap((project) => {
      const { owner, stageChangedAt: since } = project.deal
      return steps.map((step) => ({ ...step, project, links: [], owner, since }))
    }),
    ...Array.from({ length: choreCount }, () => {
      const chore = random.pick(chores)
      const { companyName, owner, createdAt: since, links } = random.pick<Subject>(random.chance(0.6) ? deals : leads)
      return { ...chore, title: `${chore.title}: ${companyName}`, project: null, links, owner, since }
    }),
  ]
  const made = wishes
    .map((wish) => inventTask(story, wish))
    .toSorted((a, b) => a.row.at.localeCompare(b.row.at))
    .map(({ row, ...task }, at) => ({ ...task, row: { ...row, number: at + 1 } }))
  const tasks = made.map(({ row }) => row)
  await addRecords(story, 'TASK', tasks)
  await add(
    story,
    schema.checklistItems,
    made.flatMap(({ items }) => items),
  )
  await addLinks(
    story,
    'TASK',
    made.map(({ row, wish }) => ({ fromId: row.id, to: wish.links })),
  )
  for (const { row, wish } of made) tellTask(story, wish, row)
  await add(story, schema.recordNumbers, [
    { entityType: 'PROJECT', last: projects.length },
    { entityType: 'TASK', last: tasks.length },
  ])
  return tasks
}

async function addProjects(story: Story, deals: readonly DemoDeal[]): Promise<Project[]> {
  const { random, now, history } = story
  const won = deals
    .filter(({ status }) => status === 'WON')
    .toSorted((a, b) => a.stageChangedAt.localeCompare(b.stageChangedAt))
    .slice(0, projectCount)
  const made = won.map((deal, at) => {
    const { owner: by, stageChangedAt, customer } = deal
    const start = later(stageChangedAt, 3)
    const end = later(start, 40 + random.below(50))
    const status =
      end < now
        ? ('COMPLETED' as const)
        : start > now
          ? ('PLANNED' as const)
          : random.pick(['ACTIVE', 'ACTIVE', 'ON_HOLD'] as const)
    const row = {
      id: newId(),
      by,
      at: stageChangedAt,
      number: at + 1,
      name: deal.name,
      status,
      companyId: customer.id,
      dealId: deal.id,
      startDate: dayOf(start),
      endDate: dayOf(end),
      memberIds: [...new Set([by.id, pickOwner(story).id])],
      budget: deal.amount,
      currency: deal.currency,
      description: 'Everything until the customer works with it every day.',
      progress: status === 'COMPLETED' ? 100 : status === 'PLANNED' ? 0 : 10 * (1 + random.below(8)),
    }
    if (random.chance(0.5)) {
      const at = between(story, stageChangedAt, now)
      history.comment(
        { entityType: 'PROJECT', entityId: row.id },
        'The customer is happy with the pace so far.',
        at,
        by,
      )
    }
    return { row, project: { id: row.id, deal, isOver: status === 'COMPLETED' } }
  })
  await addRecords(
    story,
    'PROJECT',
    made.map(({ row }) => row),
  )
  return made.map(({ project }) => project)
}

function inventTask(story: Story, wish: Wish) {
  const { random, now } = story
  const { title, type, checklist, project, owner: by } = wish
  const isDone = project?.isOver ?? random.chance(0.45)
  const at = between(story, wish.since, now)
  const completedAt = isDone ? between(story, at, now) : null
  const row = {
    id: newId(),
    by,
    at,
    title,
    type,
    status: isDone ? ('DONE' as const) : random.pick(['TODO', 'TODO', 'IN_PROGRESS', 'IN_REVIEW'] as const),
    completedAt,
    priority: random.pick(['LOW', 'NORMAL', 'NORMAL', 'NORMAL', 'HIGH', 'URGENT'] as const),
    assigneeId: random.chance(0.6) ? by.id : pickOwner(story).id,
    projectId: project?.id ?? null,
    dueAt: dueAfter(story, at, completedAt),
    estimateMin: random.pick([null, 30, 60, 240]),
    updatedAt: completedAt ?? at,
    version: isDone ? 2 : 1,
  }
  const done = isDone ? checklist.length : random.below(checklist.length + 1)
  const stamps = { createdAt: at, updatedAt: at, createdById: by.id }
  const items = checklist.map((item, position) => {
    return { taskId: row.id, title: item, position, isDone: position < done, ...stamps }
  })
  return { wish, row, items }
}

/** A quarter of the open tasks is overdue. */
function dueAfter(story: Story, at: string, completedAt: string | null): string {
  const { random, now } = story
  if (completedAt !== null) return later(completedAt, random.below(3))
  return random.chance(0.25) ? between(story, at, now) : daysAhead(story, 1 + random.below(25))
}

function tellTask(
  story: Story,
  { owner: by, project, links }: Wish,
  { id, number, status, at, completedAt }: ReturnType<typeof inventTask>['row'] & { readonly number: number },
): void {
  const { history, random, now } = story
  const task = { entityType: 'TASK', entityId: id }
  const around = [...links, ...(project ? [{ entityType: 'PROJECT', entityId: project.id }] : [])]
  const tellAround = (kind: string, when: string, told: string): void => {
    const related = { relatedType: 'TASK', relatedId: id, data: { number, status: told } }
    history.add(...around.map((on) => ({ ...on, kind, at: when, by, ...related })))
  }
  tellAround('TASK_ADDED', at, completedAt ? 'TODO' : status)
  if (random.chance(0.2)) history.comment(task, random.pick(remarks), between(story, at, completedAt ?? now), by)
  if (completedAt === null) return
  const changes = [{ field: 'status', from: 'TODO', to: status }]
  history.add({ ...task, kind: 'STATUS_CHANGED', at: completedAt, by, changes })
  tellAround('TASK_COMPLETED', completedAt, status)
}
