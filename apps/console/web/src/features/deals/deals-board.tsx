import type { DealRecord } from '@crm/contract'
import { Button, NativeSelect } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type DragEvent } from 'react'
import { describeDay } from '../../base/moments.ts'
import { usePeopleNames } from '../../base/people.ts'
import { useSession } from '../../base/session.ts'
import { describeMoney } from '../../records/money.ts'
import type { usePipelines } from '../../records/pipelines.ts'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { stageQuery, useDealMove } from './deal-queries.ts'
import classes from './deals-board.module.css'

type Pipeline = ReturnType<typeof usePipelines>[number]
type Stage = Pipeline['stages'][number]

/** The drag carries the deal as text in this format, which only this page reads. */
const dragType = 'application/x-crm-deal'

/** The deals of a pipeline by stage; a deal moves by dragging, or by the choice of another stage on its card. */
export function DealsBoard({ pipeline, search }: { readonly pipeline: Pipeline; readonly search: string | undefined }) {
  const move = useDealMove()
  return (
    <>
      <RefusalAlert error={move.error} />
      <div className={classes.board} aria-busy={move.isPending}>
        {pipeline.stages.map((stage) => (
          <StageColumn
            key={stage.id}
            stage={stage}
            stages={pipeline.stages}
            search={search}
            onMove={(deal, to) => move.mutate({ deal, stage: to })}
          />
        ))}
      </div>
    </>
  )
}

interface Movable {
  readonly id: string
  readonly version: number
}

interface StageColumnProps {
  readonly stage: Stage
  readonly stages: readonly Stage[]
  readonly search: string | undefined
  onMove(deal: Movable, to: Stage): void
}

function StageColumn({ stage, stages, search, onMove }: StageColumnProps) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    stageQuery(stage.id, search),
  )
  const owners = usePeopleNames(data?.pages.flatMap(({ items }) => items.map(({ ownerId }) => ownerId)))
  const drop = useDrop((deal) => deal.stageId !== stage.id && onMove(deal, stage))
  const total = data?.pages[0]?.total
  return (
    <section className={classes.column} aria-label={stage.name} data-type={stage.type} {...drop}>
      <h2 className={classes.stage}>
        {stage.name}
        <span className={classes.count}>{total?.toLocaleString('en')}</span>
      </h2>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined && error === null && <LoadingLines lines={3} label={`Loading ${stage.name}`} />}
      <ul className={classes.cards}>
        {data?.pages
          .flatMap(({ items }) => items)
          .map((deal) => (
            <DealCard
              key={deal.id}
              deal={deal}
              owner={deal.ownerId === null ? undefined : owners.get(deal.ownerId)}
              stages={stages}
              onMove={(to) => onMove(deal, to)}
            />
          ))}
      </ul>
      {hasNextPage && (
        <Button variant="default" size="xs" fullWidth loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </section>
  )
}

interface DealCardProps {
  readonly deal: DealRecord
  readonly owner: string | undefined
  readonly stages: readonly Stage[]
  onMove(to: Stage): void
}

function DealCard({ deal, owner, stages, onMove }: DealCardProps) {
  const { may } = useSession()
  const isMovable = may('UPDATE_DEAL')
  const choose = (id: string) => {
    const to = stages.find((stage) => stage.id === id)
    if (to && to.id !== deal.stageId) onMove(to)
  }
  const { id, version, stageId } = deal
  return (
    <li
      className={classes.card}
      draggable={isMovable}
      onDragStart={(event) => event.dataTransfer.setData(dragType, JSON.stringify({ id, version, stageId }))}
    >
      <Link to="/deals/$id" params={{ id }} className={classes.name} draggable={false}>
        {deal.name}
      </Link>
      <div className={classes.facts}>
        {deal.amount !== null && <span className={classes.amount}>{describeMoney(deal.amount, deal.currency)}</span>}
        {deal.expectedCloseDate !== null && <span>{describeDay(deal.expectedCloseDate, 'UTC')}</span>}
        {owner !== undefined && <span>{owner}</span>}
      </div>
      {isMovable && (
        <NativeSelect
          size="xs"
          aria-label={`Stage of ${deal.name}`}
          value={stageId}
          onChange={(event) => choose(event.currentTarget.value)}
          data={stages.map((stage) => ({ value: stage.id, label: stage.name }))}
        />
      )}
    </li>
  )
}

function useDrop(onDrop: (deal: Movable & { readonly stageId: string }) => void) {
  const [isOver, setOver] = useState(false)
  const isDeal = (event: DragEvent) => event.dataTransfer.types.includes(dragType)
  return {
    'data-over': isOver,
    onDragOver: (event: DragEvent) => {
      if (!isDeal(event)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: (event: DragEvent<HTMLElement>) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
    },
    onDrop: (event: DragEvent) => {
      setOver(false)
      if (!isDeal(event)) return
      event.preventDefault()
      onDrop(JSON.parse(event.dataTransfer.getData(dragType)) as Movable & { stageId: string })
    },
  }
}
