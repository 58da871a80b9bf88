import classes from './stage-bar.module.css'

interface BarStage {
  readonly id: string
  readonly name: string
  readonly type: 'OPEN' | 'WON' | 'LOST'
}

interface StageBarProps<Stage extends BarStage> {
  readonly pipeline: { readonly name: string; readonly stages: readonly Stage[] }
  readonly stageId: string
  readonly isFixed: boolean
  /** Why nobody moves there by a click; undefined where they may. */
  whyClosed?(stage: Stage): string | undefined
  onMove(stage: Stage): void
}

/** The stages of a pipeline with the one where a record is; a click moves it. */
export function StageBar<Stage extends BarStage>({
  pipeline,
  stageId,
  isFixed,
  whyClosed,
  onMove,
}: StageBarProps<Stage>) {
  const at = pipeline.stages.findIndex(({ id }) => id === stageId)
  const isLost = pipeline.stages[at]?.type === 'LOST'
  return (
    <div role="group" aria-label={`Stage in ${pipeline.name}`} className={classes.bar}>
      {pipeline.stages.map((stage, position) => (
        <button
          key={stage.id}
          type="button"
          className={classes.stage}
          data-place={placeOf(position, at, isLost)}
          aria-current={position === at ? 'step' : undefined}
          disabled={isFixed || whyClosed?.(stage) !== undefined}
          title={whyClosed?.(stage)}
          onClick={() => position !== at && onMove(stage)}
        >
          {stage.name}
        </button>
      ))}
    </div>
  )
}

/** A lost record has not come further than the stages before; it has left them. */
function placeOf(position: number, at: number, isLost: boolean): 'behind' | 'here' | 'lost' | 'ahead' {
  if (position === at) return isLost ? 'lost' : 'here'
  return position < at && !isLost ? 'behind' : 'ahead'
}
