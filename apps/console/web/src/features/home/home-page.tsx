import { lead } from '@crm/model'
import { Progress, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { dayAfter, describeInstant, describeTime, instantOf, today } from '../../base/moments.ts'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { agendaQuery } from '../../domain/calendar/agenda-queries.ts'
import { entriesOf, type Entry } from '../../domain/calendar/entries.ts'
import { TaskLine } from '../../domain/tasks/record-tasks.tsx'
import { EntrySentence } from '../../records/entry-sentence.tsx'
import { foldAlike, foldEntries } from '../../records/feed-entries.ts'
import { describeMoney } from '../../records/money.ts'
import { ofAssignee, type Narrowed } from '../../records/narrowed.ts'
import { usePipelines } from '../../records/pipelines.ts'
import { leadTitle } from '../../records/titles.ts'
import { recentRecords } from '../../records/recent-records.ts'
import { useKinds } from '../../records/record-kinds.ts'
import { addressOf, listOf } from '../../records/record-place.ts'
import { useNarrowing, useWhose, WhoseChoice } from '../../records/whose.tsx'
import { Age, useNow } from '../../shell/age.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import {
  dealsWithoutNextStepQuery,
  dueTasksQuery,
  latestQuery,
  thingsMax,
  pipelineQuery,
  rottingDealsQuery,
  unansweredLeadsQuery,
  stuck,
  wonQuery,
  wonThisMonth,
} from './home-queries.ts'
import { DemoBanner } from './demo-banner.tsx'
import { GetStarted } from './get-started.tsx'
import { shareOfGoal } from './goals.ts'
import classes from './home.module.css'
import { byDue, dueGroupNames } from './due-groups.ts'
import { filled, t, terms } from '../../base/texts.ts'

/** The due tasks, the stuck deals and the latest news. */
export function HomePage() {
  const { may } = useSession()
  const [whose, setWhose] = useWhose('home')
  const of = useNarrowing(whose)
  return (
    <Page title={t('Home')} actions={<WhoseChoice whose={whose} onChange={setWhose} />}>
      <DemoBanner />
      <GetStarted />
      <div className={classes.columns}>
        <div className={classes.column}>
          {may('VIEW_TASK') && <DueTasks of={of} isOwn={whose === 'mine'} />}
          {(may('VIEW_DEAL') || may('VIEW_LEAD')) && <NeedsAttention of={of} isOwn={whose === 'mine'} />}
          <Latest actorId={whose === 'mine' ? undefined : of.ownerId} />
        </div>
        <div className={classes.column}>
          <Today />
          {may('VIEW_DEAL') && <Pipeline of={of} isOwn={whose === 'mine'} />}
          <RecentlyViewed />
        </div>
      </div>
    </Page>
  )
}

interface OfProps {
  /** Whose records are shown. */
  readonly of: Narrowed
  /** Whether they are the person's own. */
  readonly isOwn: boolean
}

function DueTasks({ of, isOwn }: OfProps) {
  const now = useNow()
  const { data, error, refetch } = useQuery(dueTasksQuery(of))
  const hidden = (data?.total ?? 0) - (data?.items.length ?? 0)
  return (
    <Panel
      title={t(isOwn ? 'My tasks' : 'Tasks')}
      actions={
        <Link to={listOf('TASK')} search={{}}>
          {t('All tasks')}
        </Link>
      }
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined && error === null && <LoadingLines lines={3} label={t('Loading tasks')} />}
      {data?.items.length === 0 && <Empty>{t('Nothing is due in the next seven days.')}</Empty>}
      {byDue(data?.items ?? [], now).map(([group, tasks]) => (
        <section key={group} aria-label={dueGroupNames[group]}>
          <h3 className={classes.group} data-late={group === 'overdue'}>
            {dueGroupNames[group]}
          </h3>
          <ul className={classes.list} aria-label={dueGroupNames[group]}>
            {tasks.map((task) => (
              <li key={task.id}>
                <TaskLine task={task} isOwn={isOwn} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {hidden > 0 && (
        <Link
          to={listOf('TASK')}
          search={{ view: 'all', ...ofAssignee(of), dueTo: '7d' } as never}
          className={classes.all}
        >
          {t('{count, plural, one {# more task} other {# more tasks}}', { count: hidden })}
        </Link>
      )}
    </Panel>
  )
}

/** A record that waits for somebody, with the reasons. */
interface Waiting {
  readonly entityType: string
  readonly entityId: string
  readonly title: string
  readonly amount: string | null
  readonly reasons: readonly string[]
  readonly ownerId: string | null
  /** Since when nothing has happened. */
  readonly since: string
}

function NeedsAttention({ of, isOwn }: OfProps) {
  const { may } = useSession()
  const forgotten = useQuery({ ...dealsWithoutNextStepQuery(of), enabled: may('VIEW_DEAL') })
  const rotting = useQuery({ ...rottingDealsQuery(of), enabled: may('VIEW_DEAL') })
  const unanswered = useQuery({ ...unansweredLeadsQuery(of), enabled: may('VIEW_LEAD') })
  const readings = [forgotten, rotting, unanswered]
  const error = readings.map((reading) => reading.error).find((one) => one !== null) ?? null
  const isKnown = readings.every(({ data, fetchStatus }) => data !== undefined || fetchStatus === 'idle')
  const deals = [
    ...(rotting.data?.items ?? []).map((deal) => ({ deal, reason: t('No activity for too long') })),
    ...(forgotten.data?.items ?? []).map((deal) => ({ deal, reason: t('No next step') })),
  ]
  const waiting: readonly Waiting[] = [
    ...(unanswered.data?.items ?? []).map((one) => ({
      entityType: lead.entity,
      entityId: one.id,
      title: leadTitle(one),
      amount: null,
      reasons: [t('Not contacted for more than a day')],
      ownerId: one.ownerId,
      since: one.createdAt,
    })),
    ...[...Map.groupBy(deals, ({ deal }) => deal.id).values()].flatMap((why) =>
      why.slice(0, 1).map(({ deal }) => ({
        entityType: 'DEAL',
        entityId: deal.id,
        title: deal.name,
        amount: describeMoney(deal.amount, deal.currency),
        reasons: why.map(({ reason }) => reason),
        ownerId: deal.ownerId,
        since: deal.lastActivityAt ?? deal.stageChangedAt,
      })),
    ),
  ]
  return (
    <Panel title={t('Needs attention')}>
      <RefusalAlert error={error} />
      {!isKnown && error === null && <LoadingLines lines={3} label={t('Loading deals')} />}
      {isKnown && waiting.length === 0 && <Empty>{t('Nothing needs your attention.')}</Empty>}
      {isKnown && waiting.length > 0 && <WaitingList waiting={waiting} isOwn={isOwn} />}
      <AllStuck
        of={of}
        counts={{
          unanswered: unanswered.data?.total ?? 0,
          rotting: rotting.data?.total ?? 0,
          forgotten: forgotten.data?.total ?? 0,
        }}
      />
    </Panel>
  )
}

function WaitingList({ waiting, isOwn }: { readonly waiting: readonly Waiting[]; readonly isOwn: boolean }) {
  const people = usePeopleNames(waiting.map(({ ownerId }) => ownerId))
  const now = useNow()
  return (
    <ul className={classes.list} aria-label={t('Needs attention')}>
      {waiting.map(({ title, amount, reasons, ownerId, since, ...record }) => (
        <li key={record.entityId} className={classes.row}>
          <span className={classes.named}>
            <Link {...addressOf(record)}>{title}</Link>
            <span className={classes.why}>
              <span className={classes.warning}>{reasons.join(' · ')}</span>
              {!isOwn && <span>{people.get(ownerId ?? '') ?? t('Unassigned')}</span>}
              <span title={describeInstant(since)}>
                {t('{count, plural, one {for # day} other {for # days}}', { count: daysSince(since, now) })}
              </span>
            </span>
          </span>
          {amount !== null && <span className={classes.amount}>{amount}</span>}
        </li>
      ))}
    </ul>
  )
}

/** Returns for how many whole days something has lasted, at least one. */
function daysSince(instant: string, now: number): number {
  return Math.max(1, Math.floor((now - Date.parse(instant)) / 86_400_000))
}

const stuckWords = {
  unanswered: (count: number) =>
    t('{count, plural, one {# lead not contacted} other {# leads not contacted}}', { count }),
  rotting: (count: number) =>
    t('{count, plural, one {# deal at a standstill} other {# deals at a standstill}}', { count }),
  forgotten: (count: number) =>
    t('{count, plural, one {# deal without a next step} other {# deals without a next step}}', { count }),
}

/** Links to all that is stuck for a reason, with their number. */
function AllStuck({
  of,
  counts,
}: {
  readonly of: Narrowed
  readonly counts: Readonly<Record<keyof typeof stuck, number>>
}) {
  const reasons = (['unanswered', 'rotting', 'forgotten'] as const).filter((reason) => counts[reason] > 0)
  if (reasons.length === 0) return null
  return (
    <p className={classes.counts}>
      {reasons.map((reason) => (
        <Link
          key={reason}
          to={listOf(reason === 'unanswered' ? lead.entity : 'DEAL')}
          search={{ view: 'all', layout: 'table', ...of, ...stuck[reason] } as never}
        >
          {stuckWords[reason](counts[reason])}
        </Link>
      ))}
    </p>
  )
}

/** The person's day: events, meetings with the link to their call, and planned activities. */
function Today() {
  const { person, may } = useSession()
  const day = today(useNow())
  const span = { from: instantOf(day), to: instantOf(dayAfter(day, 1)) }
  const { data, error, refetch } = useQuery(agendaQuery({ ...span, personId: person.id, may }))
  const entries = data
    ? entriesOf({ ...data, tasks: [] }).toSorted((one, other) => one.start.localeCompare(other.start))
    : []
  return (
    <Panel title={t('Today')} actions={<Link to="/calendar">{t('Calendar')}</Link>}>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined && error === null && <LoadingLines lines={2} label={t('Loading today')} />}
      {data && entries.length === 0 && <Empty>{t('Nothing planned today.')}</Empty>}
      {entries.length > 0 && (
        <ul className={classes.list} aria-label={t('Today')}>
          {entries.map((entry) => (
            <li key={entry.id} className={classes.row}>
              <span className={classes.time}>{timeOf(entry)}</span>
              <span className={classes.title}>
                {entry.path === undefined ? entry.title : <Link to={entry.path as never}>{entry.title}</Link>}
              </span>
              {entry.meeting && (
                <a href={entry.meeting.joinUrl} aria-label={t('Join the call with {name}', { name: entry.title })}>
                  {t('Join')}
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function timeOf({ allDay, start }: Entry): string {
  return allDay ? t('All day') : describeTime(instantOf(start))
}

function Pipeline({ of, isOwn }: OfProps) {
  const { person } = useSession()
  const { currency } = person.workspace
  const { data, error, refetch } = useQuery(pipelineQuery(currency, of))
  const won = useQuery(wonQuery(currency, of)).data
  const deals = (search: object) => ({
    to: listOf('DEAL'),
    search: { view: 'all', layout: 'table', ...of, ...search } as never,
  })
  const order = usePipelines('DEAL').flatMap(({ stages }) => stages.map(({ id }) => id))
  const place = (id: unknown) => order.findIndex((stage) => stage === id)
  const groups = (data?.groups ?? []).toSorted((a, b) => place(a.by[0]?.value) - place(b.by[0]?.value))
  const most = Math.max(1, ...groups.map(({ count }) => count))
  return (
    <Panel
      title={t('Pipeline')}
      actions={
        <Link to={listOf('DEAL')} search={{}}>
          {t('All deals')}
        </Link>
      }
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined && error === null && <LoadingLines lines={4} label={t('Loading pipeline')} />}
      {isOwn && person.monthlyGoal !== null && won && (
        <Goal goal={person.monthlyGoal} currency={currency} won={won.totals} />
      )}
      {data && (
        <dl className={classes.numbers}>
          <Number
            label={t('Open')}
            count={data.totals.count}
            sum={sumOf(data.totals, currency)}
            to={deals({ status: 'OPEN' })}
          />
          {won && (
            <Number
              label={t('Won this month')}
              count={won.totals.count}
              sum={sumOf(won.totals, currency)}
              to={deals(wonThisMonth)}
            />
          )}
        </dl>
      )}
      {groups.length > 0 && (
        <ul className={classes.list} aria-label={t('Open deals by stage')}>
          {groups.map((group) => (
            <li key={String(group.by[0]?.value)} className={classes.stage}>
              <span className={classes.row}>
                <Link {...deals({ status: 'OPEN', stageId: String(group.by[0]?.value) })} className={classes.plain}>
                  {group.by[0]?.label ?? t('No stage')}
                </Link>
                <span className={classes.amount}>{`${group.count} · ${sumOf(group, currency)}`}</span>
              </span>
              <span className={classes.bar} style={{ width: `${(group.count / most) * 100}%` }} aria-hidden="true" />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

interface GoalProps {
  readonly goal: string
  readonly currency: string
  readonly won: Summed
}

/** The part of the person's goal that is won this month. */
function Goal({ goal, currency, won }: GoalProps) {
  const reached = shareOfGoal(won.sum?.['amount'], goal, currency)
  const percent = Math.min(100, Math.round(reached * 100))
  const words = t('{sum} of {goal}', {
    sum: sumOf(won, currency),
    goal: describeMoney(goal, currency) ?? goal,
  })
  return (
    <div className={classes.goal}>
      <span className={classes.row}>
        <span>{t('Your goal this month')}</span>
        <span className={classes.amount}>{words}</span>
      </span>
      <Progress.Root
        role="progressbar"
        aria-label={t('Your goal this month')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={words}
      >
        <Progress.Section withAria={false} value={percent} color={reached >= 1 ? 'teal' : 'ink'} />
      </Progress.Root>
    </div>
  )
}

interface NumberProps {
  readonly label: string
  readonly count: number
  readonly sum: string
  /** The list of the deals behind the number. */
  readonly to: { readonly to: string; readonly search: never }
}

function Number({ label, count, sum, to }: NumberProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span className={classes.number}>{sum}</span>
        <Link {...to} className={classes.dim}>
          {filled(terms.kinds.DEAL.count, { count })}
        </Link>
      </dd>
    </div>
  )
}

/** The figures of some deals. */
interface Summed {
  readonly sum?: Readonly<Record<string, unknown>> | undefined
}

/** Returns the sum of a group's amounts, the currency of the workspace first. */
function sumOf({ sum }: Summed, currency: string): string {
  const amounts = sum?.['amount']
  const rank = (unit: string): number => (unit === currency ? 0 : 1)
  const sums = typeof amounts === 'object' && amounts !== null ? amounts : { [currency]: amounts }
  const texts = Object.entries(sums)
    .toSorted(([one], [other]) => rank(one) - rank(other))
    .flatMap(([unit, amount]) => (typeof amount === 'string' ? [describeMoney(amount, unit)] : []))
  return texts.length > 0 ? texts.join(' + ') : (describeMoney('0', currency) ?? '')
}

function RecentlyViewed() {
  const { person } = useSession()
  const kinds = useKinds()
  const records = recentRecords(person.id)
  const nounOf = (entityType: string) => kinds.find(({ key }) => key === entityType)?.noun
  return (
    <Panel title={t('Recently viewed')}>
      {records.length === 0 && <Empty>{t('Records that you open are listed here.')}</Empty>}
      <ul className={classes.list} aria-label={t('Recently viewed')}>
        {records.map(({ title, ...record }) => (
          <li key={record.entityId} className={classes.row}>
            <Link {...addressOf(record)}>{title}</Link>
            <span className={classes.dim}>{nounOf(record.entityType)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Latest({ actorId }: { readonly actorId: string | undefined }) {
  const { data, error, refetch } = useQuery(latestQuery(actorId))
  const things = data && foldAlike(foldEntries(data.items.filter((entry) => 'id' in entry))).slice(0, thingsMax)
  return (
    <Panel title={t('Activity')}>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined && error === null && <LoadingLines lines={5} label={t('Loading activity')} />}
      {things?.length === 0 && <Empty>{t('No activity yet')}</Empty>}
      <ul className={classes.list} aria-label={t('Activity feed')}>
        {things?.map((told) => (
          <li key={told.entry.id} className={classes.row}>
            <EntrySentence told={told} />
            <Age className={classes.dim} at={told.entry.occurredAt} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Empty({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  )
}
