import { lead } from '@crm/model'
import { newId, schema, type Executor } from '@crm/db'
import { toSubject, type Subjects } from './activities.ts'
import type { DemoDeal } from './customers.ts'
import type { History, RecordRef } from './history.ts'
import type { Member } from './members.ts'
import { between, dayMs, daysAhead, madeBy, pickOwner, type Place } from './place.ts'

const projectCount = 10
const taskCount = 110

interface Project {
  readonly id: string
  readonly deal: DemoDeal
  readonly isOver: boolean
}

const chores = [
  {
    title: 'Prepare the offer',
    checklist: ['Check the quantities', 'Ask for the discount', 'Have it read by a colleague'],
  },
  { title: 'Send references', checklist: [] },
  { title: 'Call back', checklist: [] },
  { title: 'Plan the demonstration', checklist: ['Choose the examples', 'Invite the team', 'Test the connection'] },
  { title: 'Draft the contract', checklist: ['Terms', 'Start date', 'Support hours', 'Signature'] },
  { title: 'Agree on the next steps', checklist: [] },
]
const steps = [
  { title: 'Kick-off', checklist: ['Agenda', 'Contacts on both sides', 'Dates'] },
  {
    title: 'Bring over the data',
    checklist: ['Get the export', 'Try with a few records', 'Bring over all of them', 'Have it checked'],
  },
  { title: 'Train the users', checklist: ['Dates', 'Material'] },
  { title: 'Set up roles and departments', checklist: [] },
  { title: 'Review after the first month', checklist: [] },
]

/** The part of a task that its dependent records need. */
export interface DemoTask {
  readonly id: string
  readonly owner: Member
  readonly createdAt: string
}

/** Adds projects for won deals, and tasks in them and on leads and deals: some done, some overdue. */
export async function addWork(tx: Executor, place: Place, subjects: Subjects, history: History): Promise<DemoTask[]> {
  const { workspaceId } = place
  const projects = await addProjects(tx, place, subjects.deals, history)
  const tasks = await addTasks(tx, place, subjects, projects, history)
  await tx.insert(schema.recordNumbers).values([
    { workspaceId, entityType: 'PROJECT', last: projects.length },
    { workspaceId, entityType: 'TASK', last: tasks.length },
  ])
  return tasks
}

async function addProjects(
  tx: Executor,
  place: Place,
  deals: readonly DemoDeal[],
  history: History,
): Promise<Project[]> {
  const { workspaceId, random, now } = place
  const won = deals
    .filter(({ status }) => status === 'WON')
    .toSorted((a, b) => a.stageChangedAt.localeCompare(b.stageChangedAt))
    .slice(0, projectCount)
  const made = won.map((deal, at) => {
    const id = newId()
    const startMs = Date.parse(deal.stageChangedAt) + 3 * dayMs
    const endMs = startMs + (40 + random.below(50)) * dayMs
    const isOver = endMs < now.getTime()
    const status = isOver
      ? ('COMPLETED' as const)
      : startMs > now.getTime()
        ? ('PLANNED' as const)
        : random.pick(['ACTIVE', 'ACTIVE', 'ON_HOLD'] as const)
    const row = {
      workspaceId,
      id,
      number: at + 1,
      name: deal.name,
      status,
      companyId: deal.customer.companyId,
      dealId: deal.id,
      startDate: day(startMs),
      endDate: day(endMs),
      memberIds: [...new Set([deal.owner.id, pickOwner(place).id])],
      budget: deal.amount,
      currency: deal.currency,
      description: 'Everything until the customer works with it every day.',
      progress: isOver ? 100 : status === 'PLANNED' ? 0 : 10 * (1 + random.below(8)),
      ...madeBy(deal.owner, deal.stageChangedAt),
    }
    history.add({ entityType: 'PROJECT', entityId: id, kind: 'CREATED', at: row.createdAt, by: deal.owner })
    if (random.chance(0.5))
      history.comment(
        { entityType: 'PROJECT', entityId: id },
        'The customer is happy with the pace so far.',
        between(place, row.createdAt, now.toISOString()),
        deal.owner,
      )
    return { row, project: { id, deal, isOver } }
  })
  await tx.insert(schema.projects).values(made.map(({ row }) => row))
  return made.map(({ project }) => project)
}

const day = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)

/** The project or record that a task belongs to. */
interface TaskPlace {
  readonly title: string
  readonly checklist: readonly string[]
  readonly project: Project | null
  readonly links: readonly RecordRef[]
  readonly owner: Member
  readonly since: string
}

async function addTasks(
  tx: Executor,
  place: Place,
  subjects: Subjects,
  projects: readonly Project[],
  history: History,
): Promise<DemoTask[]> {
  const { workspaceId } = place
  const wanted = [
    ...projects.flatMap(projectTasks),
    ...Array.from({ length: taskCount }, () => inventChore(place, subjects)),
  ]
  const made = wanted
    .map((wish) => ({ wish, ...inventTask(place, wish) }))
    .toSorted((a, b) => a.row.createdAt.localeCompare(b.row.createdAt))
  await tx.insert(schema.tasks).values(made.map(({ row }, at) => ({ workspaceId, number: at + 1, ...row })))
  await tx
    .insert(schema.checklistItems)
    .values(made.flatMap(({ items }) => items.map((item) => ({ workspaceId, ...item }))))
  await tx
    .insert(schema.recordLinks)
    .values(
      made.flatMap(({ row, wish }) =>
        wish.links.map((link) => ({ workspaceId, fromType: 'TASK' as const, fromId: row.id, ...link })),
      ),
    )
  for (const [at, { row, wish }] of made.entries()) tellTask(place, history, wish, { ...row, number: at + 1 })
  return made.map(({ row: { id, createdAt }, wish: { owner } }) => ({ id, owner, createdAt }))
}

function projectTasks(project: Project): TaskPlace[] {
  const { owner, stageChangedAt: since } = project.deal
  return steps.map((step) => ({ ...step, project, links: [], owner, since }))
}

function inventChore(place: Place, { leads, deals }: Subjects): TaskPlace {
  const { random } = place
  const chore = random.pick(chores)
  if (random.chance(0.6)) {
    const deal = random.pick(deals)
    const { owner, createdAt: since, links } = toSubject(deal)
    return { ...chore, title: `${chore.title}: ${deal.customer.company.name}`, project: null, links, owner, since }
  }
  const { id, name, owner, createdAt: since } = random.pick(leads)
  return {
    ...chore,
    title: `${chore.title}: ${name}`,
    project: null,
    links: [{ entityType: lead.entity, entityId: id }],
    owner,
    since,
  }
}

type TaskRow = ReturnType<typeof inventTask>['row']

function inventTask(place: Place, { title, checklist, project, owner, since }: TaskPlace) {
  const { random, now } = place
  const isDone = project?.isOver ?? random.chance(0.45)
  const createdAt = between(place, since, now.toISOString())
  const completedAt = isDone ? between(place, createdAt, now.toISOString()) : null
  const stamps = madeBy(owner, createdAt)
  const row = {
    id: newId(),
    title,
    status: isDone ? ('DONE' as const) : random.pick(['TODO', 'TODO', 'IN_PROGRESS', 'IN_REVIEW'] as const),
    completedAt,
    priority: random.pick(['LOW', 'NORMAL', 'NORMAL', 'NORMAL', 'HIGH', 'URGENT'] as const),
    assigneeId: random.chance(0.8) ? owner.id : pickOwner(place).id,
    projectId: project?.id ?? null,
    dueAt: dueAfter(place, completedAt ?? createdAt, isDone),
    estimateMin: random.pick([null, 30, 60, 240]),
    ...stamps,
    updatedAt: completedAt ?? createdAt,
    version: isDone ? 2 : 1,
  }
  const done = isDone ? checklist.length : random.below(checklist.length + 1)
  const items = checklist.map((item, position) => ({
    id: newId(),
    taskId: row.id,
    title: item,
    position,
    isDone: position < done,
    createdAt,
    updatedAt: createdAt,
    createdById: owner.id,
  }))
  return { row, items }
}

/** A quarter of the open tasks is overdue. */
function dueAfter(place: Place, at: string, isDone: boolean): string {
  const { random, now } = place
  if (isDone) return new Date(Date.parse(at) + random.below(3) * dayMs).toISOString()
  return random.chance(0.25) ? between(place, at, now.toISOString()) : daysAhead(place, 1 + random.below(25))
}

function tellTask(
  place: Place,
  history: History,
  { owner: by, project, links }: TaskPlace,
  { id, number, status, createdAt, completedAt }: TaskRow & { readonly number: number },
): void {
  const task = { entityType: 'TASK', entityId: id }
  const around = [...links, ...(project ? [{ entityType: 'PROJECT', entityId: project.id }] : [])]
  const about = { relatedType: 'TASK', relatedId: id }
  history.add(
    { ...task, kind: 'CREATED', at: createdAt, by },
    ...around.map((on) => ({
      ...on,
      kind: 'TASK_ADDED',
      at: createdAt,
      by,
      ...about,
      data: { number, status: completedAt ? 'TODO' : status },
    })),
  )
  if (place.random.chance(0.2))
    history.comment(
      task,
      place.random.pick([
        'Waiting for an answer of the customer.',
        'Half of it is done.',
        'Please have a look before it goes out.',
      ]),
      between(place, createdAt, completedAt ?? place.now.toISOString()),
      by,
    )
  if (completedAt === null) return
  history.add({
    ...task,
    kind: 'STATUS_CHANGED',
    at: completedAt,
    by,
    changes: [{ field: 'status', from: 'TODO', to: status }],
  })
  history.add(
    ...around.map((on) => ({ ...on, kind: 'TASK_COMPLETED', at: completedAt, by, ...about, data: { number, status } })),
  )
}
