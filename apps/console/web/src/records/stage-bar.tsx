import { useRef, type KeyboardEvent } from 'react'
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
  /** Returns the reason why a click cannot move the record there; undefined when it can. */
  whyClosed?(stage: Stage): string | undefined
  onMove(stage: Stage): void
}

/** The stages of a pipeline, with the record's own; the choice of another one moves it. */
export function StageBar<Stage extends BarStage>({
  pipeline,
  stageId,
  isFixed,
  whyClosed,
  onMove,
}: StageBarProps<Stage>) {
  const bar = useRef<HTMLDivElement>(null)
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
      aria-label={t('records.stage')}
      aria-orientation="horizontal"
      className={classes.bar}
      onKeyDown={goBy}
    >
      {pipeline.stages.map((stage, position) => {
        const isClosed = isFixed || whyClosed?.(stage) !== undefined
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
            {stage.name}
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
