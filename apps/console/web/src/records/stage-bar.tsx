import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useRef, type KeyboardEvent } from 'react'
import { beside } from '../base/api.ts'
import { RefusalAlert } from '../shell/states.tsx'
import { MoveDialog } from './list/move-dialog.tsx'
import { useMove } from './list/use-move.ts'
import { usePageCommand } from './page-commands.ts'
import type { AnyRecord } from './record-calls.ts'
import { useKind, type Kind } from './record-kinds.ts'
import { collectionOf } from './record-place.ts'
import classes from './stage-bar.module.css'
import { t } from '../base/texts.ts'

interface BarStage {
  readonly id: string
  readonly name: string
  readonly type: 'OPEN' | 'WON' | 'LOST'
}

interface StageBarProps<Stage extends BarStage> {
  readonly pipeline: { readonly name: string; readonly stages: readonly Stage[] }
  readonly stageId: string
  readonly isFixed: boolean
  /** The whole days that the record has been in each stage, by the id of the stage. */
  readonly days: ReadonlyMap<string, number>
  /** The record has been in its stage for longer than it should. */
  readonly isRotting: boolean
  /** Returns the reason why a click cannot move the record there; undefined when it can. */
  whyClosed?(stage: Stage): string | undefined
  onMove(stage: Stage): void
}

interface RecordStagesProps {
  readonly entityType: keyof typeof stagedCalls
  readonly record: AnyRecord & { readonly pipelineId: string; readonly stageId: string }
  readonly isFixed?: boolean
  whyClosed?(stage: KindStage): string | undefined
}

const stagedCalls = { LEAD: beside.crm.leads, DEAL: beside.crm.deals } as const
const secondsOfDay = 86_400

/** Reads how long a record has been in each stage, in whole days by the id of the stage. */
function stageDaysQuery(entityType: keyof typeof stagedCalls, id: string) {
  return queryOptions({
    queryKey: [collectionOf(entityType), 'stage-times', id],
    queryFn: async ({ signal }) => {
      const { stages } = (await stagedCalls[entityType].stageTimes({ params: { id }, query: {}, signal })).data
      return new Map(stages.map(({ stageId, seconds }) => [stageId, Math.floor(seconds / secondsOfDay)]))
    },
    placeholderData: keepPreviousData,
  })
}

const noDays: ReadonlyMap<string, number> = new Map()

type KindStage = Kind['pipelines'][number]['stages'][number]

/** The stages of a record's pipeline. A choice moves the record, and asks first for what the stage needs. */
export function RecordStages({ entityType, record, isFixed = false, whyClosed }: RecordStagesProps) {
  const kind = useKind(entityType)
  if (kind === undefined) return null
  return (
    <KnownStages
      entityType={entityType}
      kind={kind}
      record={record}
      isFixed={isFixed}
      {...(whyClosed && { whyClosed })}
    />
  )
}

function KnownStages({ entityType, kind, record, isFixed, whyClosed }: RecordStagesProps & { readonly kind: Kind }) {
  // Without the times the stages serve as well, so a refusal is not worth an alert.
  const { data: days = noDays } = useQuery(stageDaysQuery(entityType, record.id))
  const { move, asked, request, cancel } = useMove(kind)
  const pipeline = kind.pipelines.find(({ id }) => id === record.pipelineId)
  const field = kind.fields.find(({ key }) => key === 'stageId')
  if (pipeline === undefined || field === undefined) return null
  return (
    <>
      <StageBar
        pipeline={pipeline}
        stageId={record.stageId}
        isFixed={isFixed === true || !kind.may.update || move.isPending}
        days={days}
        isRotting={record['isRotting'] === true}
        {...(whyClosed && { whyClosed })}
        onMove={(stage) => request({ record, field, lane: { value: stage.id, label: stage.name, stage } })}
      />
      <RefusalAlert error={asked === null ? move.error : null} />
      {asked && <MoveDialog kind={kind} move={asked} change={move} onClose={cancel} />}
    </>
  )
}

/** The stages of a pipeline, with the record's own; the choice of another one moves it. */
function StageBar<Stage extends BarStage>({ pipeline, stageId, whyClosed, onMove, ...rest }: StageBarProps<Stage>) {
  const { isFixed, days, isRotting } = rest
  const bar = useRef<HTMLDivElement>(null)
  usePageCommand(
    'stage',
    !isFixed && (() => bar.current?.querySelector<HTMLElement>('[role=option][tabindex="0"]')?.focus()),
  )
  const at = pipeline.stages.findIndex(({ id }) => id === stageId)
  const isLost = pipeline.stages[at]?.type === 'LOST'
  const goBy = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const options = [...(bar.current?.querySelectorAll<HTMLElement>('[role=option]') ?? [])]
    const focused = options.findIndex((option) => option === document.activeElement)
    if (step === undefined || focused < 0) return
    event.preventDefault()
    options[focused + step]?.focus()
  }
  return (
    <div
      ref={bar}
      role="listbox"
      aria-label={t('Stage')}
      aria-orientation="horizontal"
      className={classes.bar}
      onKeyDown={goBy}
    >
      {pipeline.stages.map((stage, position) => {
        const isClosed = isFixed || whyClosed?.(stage) !== undefined
        const stayed = days.get(stage.id)
        return (
          <button
            key={stage.id}
            type="button"
            role="option"
            className={classes.stage}
            data-place={placeOf(position, at, isLost)}
            aria-selected={position === at}
            aria-disabled={isClosed}
            // The bar is one stop for the tab key; arrows move from stage to stage.
            tabIndex={position === Math.max(at, 0) ? 0 : -1}
            title={whyClosed?.(stage) ?? pipeline.name}
            onClick={() => !isClosed && position !== at && onMove(stage)}
          >
            <span>{stage.name}</span>
            {stayed !== undefined && (
              <span className={classes.days} data-tone={isRotting && position === at ? 'amber' : undefined}>
                {t('{count, plural, one {# day} other {# days}}', { count: stayed })}
              </span>
            )}
          </button>
        )
      })}
    </div>
  )
}

/** A lost record did not pass the stages before; it left them. */
function placeOf(position: number, at: number, isLost: boolean): 'behind' | 'here' | 'lost' | 'ahead' {
  if (position === at) return isLost ? 'lost' : 'here'
  return position < at && !isLost ? 'behind' : 'ahead'
}
