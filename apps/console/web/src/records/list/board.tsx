import { ActionIcon, Button, Menu, Select } from '@mantine/core'
import {
  infiniteQueryOptions,
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  type QueryClient,
} from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useIntersection } from '@mantine/hooks'
import { useEffect, useRef, useState, type DragEvent, type KeyboardEvent, type ReactNode } from 'react'
import { dayOf, describeAge, describeDay } from '../../base/moments.ts'
import { useNow } from '../../shell/age.tsx'
import { Avatar } from '../../shell/avatar.tsx'
import { Icon } from '../../shell/icons.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { ForRecords, forRecords } from '../for-records.tsx'
import { describeMoney } from '../money.ts'
import { beside } from '../../base/api.ts'
import { callsOf, titleOf, type AnyRecord } from '../record-calls.ts'
import type { Field, Kind } from '../record-kinds.ts'
import { addressOf, collectionOf } from '../record-place.ts'
import { useRemoval } from '../use-removal.ts'
import { boardFields } from './arrangements.ts'
import { withCondition } from './list-address.ts'
import { summaryQuery, type SummaryCell } from './list-queries.ts'
import { narrowingOf, pageQueryOf, type ListState } from './list-state.ts'
import { MoveDialog } from './move-dialog.tsx'
import { sumInWords } from './totals.tsx'
import { useMove, type Lane } from './use-move.ts'
import classes from './board.module.css'
import { inDigits, inSentence, t } from '../../base/texts.ts'

interface BoardProps {
  readonly kind: Kind
  readonly words: { readonly many: string }
  readonly state: ListState
  /** Stands above a board without a card. */
  readonly empty: ReactNode
  onBy(by: string): void
}

const cardsAtOnce = 25

/** The records of a list as cards in columns: stages, or the choices of another field. A card moves by mouse, keys or menu. */
export function Board({ kind, words, state, empty, onBy }: BoardProps) {
  const { fields, field, pipelines, pipeline, lanes } = planBoard(kind, state)
  const { move, asked, request, cancel, said, say } = useMove(kind)
  const removal = useRemoval(kind.key, async () => {})
  const [dragged, setDragged] = useState<AnyRecord | null>(null)
  const [held, setHeld] = useState<Held | null>(null)
  // The card that keys have moved; in its new column it is another element, which takes the focus.
  const [landing, setLanding] = useState<string | null>(null)
  const figures = useFigures(kind, state, field)
  if (field === undefined) return null
  const isMovable = kind.may.update && !(field.readOnly && field.key !== 'stageId')
  const hold = (next: Held | null) => {
    if (next === null && held) say(t('{title} stays in {label}.', { title: held.title, label: held.from.label }))
    setHeld(next)
  }
  const drop = (record: AnyRecord, lane: Lane) => {
    setHeld(null)
    say('')
    request({ record, field, lane })
  }
  const giveUp = () => {
    setLanding(null)
    cancel()
  }
  const remove = kind.may.delete ? ({ id }: AnyRecord) => removal.mutate(id) : undefined
  return (
    <>
      {(fields.length > 1 || pipelines.length > 1) && (
        <div className={classes.choices}>
          {fields.length > 1 && (
            <Select
              aria-label={t('Group by')}
              size="xs"
              w="11rem"
              data={fields.map(({ key, label }) => ({
                value: key,
                label: t('By {label}', { label: inSentence(label) }),
              }))}
              value={field.key}
              onChange={(key) => key && onBy(key)}
            />
          )}
          {field.key === 'stageId' && pipelines.length > 1 && (
            <Select
              aria-label={t('Pipeline')}
              size="xs"
              w="14rem"
              data={pipelines.map(({ id, name }) => ({ value: id, label: name }))}
              value={pipeline?.id ?? null}
              onChange={(id) => id && onBy(`stageId:${id}`)}
            />
          )}
        </div>
      )}
      <RefusalAlert error={asked === null ? move.error : null} />
      {figures !== undefined && figures.size === 0 && empty}
      <div className={classes.board} data-scrolls aria-busy={move.isPending}>
        {lanes.map((lane) => (
          <LaneColumn
            key={lane.value}
            lane={lane}
            lanes={lanes}
            field={field}
            kind={kind}
            words={words}
            state={state}
            figure={figures?.get(lane.value)}
            isMovable={isMovable}
            held={held}
            landing={landing}
            onLand={setLanding}
            onHold={hold}
            onDrag={setDragged}
            onDrop={drop}
            onDelete={remove}
          />
        ))}
      </div>
      {dragged && <DropZones lanes={lanes} record={dragged} field={field} onDrop={drop} onDelete={remove} />}
      <div role="status" aria-live="assertive" className={classes.spoken}>
        {held
          ? t('{title} is over {label}. Arrow keys choose a column, Space drops, Escape cancels.', {
              title: held.title,
              label: held.over.label,
            })
          : said}
      </div>
      {asked && <MoveDialog kind={kind} move={asked} change={move} onClose={giveUp} />}
    </>
  )
}

/** Begins to read a board before it is drawn. */
export function readBoard(client: QueryClient, kind: Kind, state: ListState): void {
  const { field, lanes } = planBoard(kind, state)
  if (field === undefined) return
  for (const lane of lanes) void client.prefetchInfiniteQuery(laneQuery(kind, state, field, lane))
  void client.prefetchQuery(figuresQuery(kind, state, field))
}

/** Returns what a board can be made of, and the columns that it has. */
function planBoard(kind: Kind, state: ListState) {
  const fields = boardFields(kind)
  const [wanted = '', pipelineId] = state.by?.split(':') ?? []
  const field = fields.find(({ key }) => key === wanted) ?? fields[0]
  const pipelines = kind.pipelines.filter(({ isActive }) => isActive)
  const pipeline =
    pipelines.find(({ id }) => id === pipelineId) ?? pipelines.find(({ isDefault }) => isDefault) ?? pipelines[0]
  return { fields, field, pipelines, pipeline, lanes: field ? lanesOf(field, pipeline) : [] }
}

/** A card that is moved by keys. */
interface Held {
  readonly id: string
  readonly title: string
  readonly from: Lane
  readonly over: Lane
}

/** Returns the columns of a board. */
function lanesOf(field: Field, pipeline: Kind['pipelines'][number] | undefined): readonly Lane[] {
  if (field.key !== 'stageId') return field.options.map(({ value, label }) => ({ value, label, stage: undefined }))
  return (pipeline?.stages ?? []).map((stage) => ({ value: stage.id, label: stage.name, stage }))
}

/** Returns the figures of the columns: how many records, and the sum of their amounts. */
function useFigures(
  kind: Kind,
  state: ListState,
  field: Field | undefined,
): ReadonlyMap<string, SummaryCell> | undefined {
  const { data } = useQuery({ ...figuresQuery(kind, state, field), enabled: field !== undefined })
  return data && new Map(data.groups.map((group) => [String(group.by[0]?.value), group]))
}

function figuresQuery(kind: Kind, state: ListState, field: Field | undefined) {
  const hasAmount = kind.fields.some(({ key, aggregates }) => key === 'amount' && aggregates.includes('sum'))
  const isWeighted = kind.key === 'DEAL'
  const measures = [...(hasAmount ? ['sum:amount'] : []), ...(isWeighted ? ['weighted:amount'] : [])]
  return summaryQuery(kind.key, { ...narrowingOf(state), groupBy: field?.key ?? '', measures: measures.join(',') })
}

interface LaneProps {
  readonly lane: Lane
  readonly lanes: readonly Lane[]
  readonly field: Field
  readonly kind: Kind
  readonly words: { readonly many: string }
  readonly state: ListState
  readonly figure: SummaryCell | undefined
  readonly isMovable: boolean
  readonly held: Held | null
  /** The id of the card that keys have moved and its new column, until it is there. */
  readonly landing: string | null
  onLand(id: string | null): void
  onHold(held: Held | null): void
  /** Is told of the card that the mouse drags, and of the end of that. */
  onDrag(record: AnyRecord | null): void
  onDrop(record: AnyRecord, lane: Lane): void
  /** Deletes a record; undefined for a person who may not. */
  readonly onDelete: ((record: AnyRecord) => void) | undefined
}

/** The drag carries the record as text in this format, which only this page reads. */
const dragType = 'application/x-crm-card'

function LaneColumn(props: LaneProps) {
  const { lane, field, kind, words, state, figure, held, onDrop } = props
  const { isOver, target } = useDropTarget((record) => record[field.key] !== lane.value && onDrop(record, lane))
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    laneQuery(kind, state, field, lane),
  )
  const { ref: end, entry } = useIntersection()
  const isAtEnd = entry?.isIntersecting === true
  useEffect(() => {
    if (isAtEnd && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [isAtEnd, hasNextPage, isFetchingNextPage, fetchNextPage])
  const records = data?.pages.flatMap(({ items }) => items) ?? []
  const count = figure?.count ?? data?.pages[0]?.total
  const sum = figure && sumInWords(figure, 'amount')
  const weighted =
    figure?.weighted && Object.entries((figure.weighted['amount'] ?? {}) as Readonly<Record<string, string>>)
  const limit = lane.stage?.recordLimit ?? undefined
  const isFull = limit !== undefined && count !== undefined && count > limit
  return (
    <section
      className={classes.lane}
      aria-label={lane.label}
      data-type={lane.stage?.type}
      data-over={isOver || (held !== null && held.over.value === lane.value)}
      {...target}
    >
      <div className={classes.head}>
        <h2 className={classes.name}>
          <span className={classes.dot} style={{ background: lane.stage?.color ?? undefined }} aria-hidden="true" />
          <bdi>{lane.label}</bdi>
        </h2>
        <span className={classes.figure}>
          {count !== undefined && (
            <span
              data-full={isFull}
              title={limit === undefined ? undefined : t('The limit of this stage is {limit}.', { limit })}
            >
              {limit === undefined ? inDigits(count) : `${inDigits(count)} / ${inDigits(limit)}`}
            </span>
          )}
          {sum !== undefined && sum !== '–' && ` · ${sum}`}
        </span>
        {weighted && weighted.length > 0 && lane.stage?.type === 'OPEN' && (
          <span className={classes.weighted} title={t('Amounts times probability')}>
            {t('{value} weighted', {
              value: weighted
                .map(([currency, amount]) => describeMoney(String(Math.round(Number(amount))), currency))
                .join(' + '),
            })}
          </span>
        )}
      </div>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined && error === null && (
        <LoadingLines lines={3} label={t('Loading {label}', { label: lane.label })} />
      )}
      <ul className={classes.cards} aria-label={t('{many} in {label}', { many: words.many, label: lane.label })}>
        {records.map((record) => (
          <Card key={record.id} record={record} {...props} />
        ))}
      </ul>
      {hasNextPage && (
        <Button
          ref={end}
          variant="default"
          size="xs"
          fullWidth
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t('Show more')}
        </Button>
      )}
    </section>
  )
}

/** Returns whether a card is over an element, and the handlers that make it a place to drop cards on. */
function useDropTarget(onCard: (record: AnyRecord) => unknown) {
  const [isOver, setOver] = useState(false)
  const isCard = (event: DragEvent) => event.dataTransfer.types.includes(dragType)
  const target = {
    onDragOver: (event: DragEvent) => {
      if (!isCard(event)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
    },
    onDrop: (event: DragEvent) => {
      setOver(false)
      if (!isCard(event)) return
      event.preventDefault()
      onCard(JSON.parse(event.dataTransfer.getData(dragType)) as AnyRecord)
    },
  }
  return { isOver, target }
}

interface DropZonesProps extends Pick<LaneProps, 'lanes' | 'field' | 'onDrop' | 'onDelete'> {
  readonly record: AnyRecord
}

/** The places at the bottom on which a card is won, lost or deleted, while the mouse drags it. */
function DropZones({ lanes, record, field, onDrop, onDelete }: DropZonesProps) {
  const closing = (['WON', 'LOST'] as const).flatMap((type) => {
    const lane = lanes.find(({ stage }) => stage?.type === type)
    // A lead is converted by a dialog of its own.
    const isOffered = lane && lane.stage?.mappedStatus !== 'CONVERTED' && record[field.key] !== lane.value
    return isOffered ? [{ type, lane }] : []
  })
  return (
    <div className={classes.zones}>
      {closing.map(({ type, lane }) => (
        <DropZone key={type} type={type} label={lane.label} onCard={(card) => onDrop(card, lane)} />
      ))}
      {onDelete && <DropZone type="DELETE" label={t('Delete')} onCard={onDelete} />}
    </div>
  )
}

function DropZone({
  type,
  label,
  onCard,
}: {
  readonly type: 'WON' | 'LOST' | 'DELETE'
  readonly label: string
  onCard(record: AnyRecord): void
}) {
  const { isOver, target } = useDropTarget(onCard)
  return (
    <div
      role="group"
      aria-label={t('Drop here: {label}', { label })}
      className={classes.zone}
      data-type={type}
      data-over={isOver}
      {...target}
    >
      <Icon name={type === 'WON' ? 'check' : type === 'LOST' ? 'cross' : 'trash'} size={16} />
      {label}
    </div>
  )
}

function laneQuery(kind: Kind, state: ListState, field: Field, { value }: Lane) {
  const group = withCondition(state.group, { field: field.key, op: 'is', value })
  const columns = [{ key: 'companyId' }, { key: 'ownerId' }, { key: 'assigneeId' }, { key: 'links' }]
  const query = pageQueryOf(kind.key, { ...state, group, columns, page: 1, pageSize: cardsAtOnce })
  return infiniteQueryOptions({
    queryKey: [collectionOf(kind.key), 'lane', query],
    queryFn: ({ signal, pageParam }) => callsOf(kind.key, beside.crm).list({ ...query, page: pageParam }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ total }, _pages, page) => (page * cardsAtOnce < total ? page + 1 : undefined),
    placeholderData: keepPreviousData,
  })
}

interface CardProps extends LaneProps {
  readonly record: AnyRecord
}

function Card(props: CardProps) {
  const { record, lane, kind, isMovable, held, onDrag } = props
  const title = titleOf(kind, record)
  const isHeld = held?.id === record.id
  const amount =
    typeof record['amount'] === 'string' ? describeMoney(record['amount'], String(record['currency'])) : null
  const company = nameIn(record['company']) ?? textIn(record['companyName'])
  const owner = nameIn(record['owner'])
  const person = owner ?? nameIn(record['assignee'])
  const personId = textIn(record[owner === undefined ? 'assigneeId' : 'ownerId'])
  return (
    <li
      className={classes.card}
      data-held={isHeld}
      draggable={isMovable}
      onDragStart={(event) => {
        event.dataTransfer.setData(dragType, JSON.stringify(record))
        // A browser ends a drag whose page changes before it has begun.
        setTimeout(() => onDrag(record))
      }}
      onDragEnd={() => onDrag(null)}
    >
      <div className={classes.cardHead}>
        <Link
          {...addressOf({ entityType: kind.key, entityId: record.id })}
          className={classes.title}
          draggable={false}
          title={title}
        >
          <bdi>{title}</bdi>
        </Link>
        {isMovable && <CardMenu {...props} title={title} />}
      </div>
      {company !== undefined && <span className={classes.company}>{company}</span>}
      {forRecords(record['links']).length > 0 && <ForRecords links={record['links']} />}
      <div className={classes.facts}>
        {amount !== null && <span className={classes.amount}>{amount}</span>}
        {person !== undefined && (
          <span className={classes.person} title={person} aria-label={person} role="img">
            <Avatar name={person} personId={personId} size={22} />
          </span>
        )}
      </div>
      <Steps record={record} stage={lane.stage} />
      <Due record={record} />
    </li>
  )
}

/** The ways to move a card without a mouse, by a menu or by keys. */
function CardMenu({
  record,
  title,
  lane,
  lanes,
  held,
  landing,
  onLand,
  onHold,
  onDrop,
  onDelete,
}: CardProps & { readonly title: string }) {
  const isHeld = held?.id === record.id
  const handle = useRef<HTMLButtonElement>(null)
  const isThere = landing === `${record.id} ${lane.value}`
  useEffect(() => {
    if (!isThere) return
    handle.current?.focus()
    onLand(null)
  }, [isThere, onLand])
  const byKeys = (event: KeyboardEvent) => {
    if (event.key === ' ') {
      event.preventDefault()
      if (!isHeld) return onHold({ id: record.id, title, from: lane, over: lane })
      if (held.over.value === lane.value) return onHold(null)
      onLand(`${record.id} ${held.over.value}`)
      onDrop(record, held.over)
      return
    }
    if (!isHeld) return
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    const over =
      step === undefined ? undefined : lanes[lanes.findIndex(({ value }) => value === held.over.value) + step]
    if (event.key === 'Escape') onHold(null)
    if (over) onHold({ ...held, over })
    if (event.key !== 'Tab') event.preventDefault()
  }
  return (
    <Menu position="bottom-end" withinPortal={false} floatingStrategy="fixed" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon
          ref={handle}
          size="sm"
          className={classes.handle}
          aria-label={t('Move {title}', { title })}
          aria-pressed={isHeld}
          onKeyDown={byKeys}
          onKeyUp={(event) => event.key === ' ' && event.preventDefault()}
          onBlur={() => isHeld && onHold(null)}
        >
          <Icon name="dots" size={14} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label aria-hidden="true">{t('Move to')}</Menu.Label>
        {lanes
          .filter(({ value }) => value !== lane.value)
          .map((other) => (
            <Menu.Item key={other.value} onClick={() => onDrop(record, other)}>
              {other.label}
            </Menu.Item>
          ))}
        {onDelete && (
          <Menu.Item c="var(--mantine-color-error)" onClick={() => onDelete(record)}>
            {t('Delete')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The next step of a record, and how long it has been in its stage. */
function Steps({ record, stage }: { readonly record: AnyRecord; readonly stage: Lane['stage'] }) {
  const now = useNow()
  const nextTaskAt = record['nextTaskAt']
  if (!('nextTaskAt' in record) || (stage !== undefined && stage.type !== 'OPEN')) return null
  const { text, tone } = nextStep(typeof nextTaskAt === 'string' ? nextTaskAt : null, now)
  const since = record['stageChangedAt']
  const days = typeof since === 'string' ? daysIn(since, now) : 0
  const isRotting = record['isRotting'] === true || (stage?.rottingDays ? days >= stage.rottingDays : false)
  return (
    <div className={classes.steps}>
      <span className={classes.step} data-tone={tone}>
        <span className={classes.stepDot} aria-hidden="true" />
        {text}
      </span>
      {days > 0 && (
        <span data-tone={isRotting ? 'amber' : undefined} className={classes.step} title={t('Time in this stage')}>
          {inDays(days)}
        </span>
      )}
    </div>
  )
}

/** By when a task is due, as the next step of other records is shown. */
function Due({ record: { dueAt, completedAt } }: { readonly record: AnyRecord }) {
  const now = useNow()
  if (typeof dueAt !== 'string' || typeof completedAt === 'string') return null
  const { text, tone } = nextStep(dueAt, now)
  return (
    <div className={classes.steps}>
      <span className={classes.step} data-tone={tone}>
        <span className={classes.stepDot} aria-hidden="true" />
        {text}
      </span>
    </div>
  )
}

const dayMs = 86_400_000

function daysIn(since: string, now: number): number {
  return Math.max(0, Math.floor((now - Date.parse(since)) / dayMs))
}

function inDays(days: number): string {
  return t('{count, plural, one {# day} other {# days}}', { count: days })
}

function nextStep(at: string | null, now: number): { readonly text: string; readonly tone: string } {
  if (at === null) return { text: t('No next step'), tone: 'amber' }
  if (Date.parse(at) < now) return { text: t('Overdue {at}', { at: describeAge(at, now) }), tone: 'red' }
  const isToday = dayOf(at) === dayOf(now)
  return { text: isToday ? t('Today') : describeDay(at), tone: isToday ? 'green' : 'grey' }
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function nameIn(value: unknown): string | undefined {
  return (value as { readonly name?: string } | null | undefined)?.name
}
