import type { RunLook } from './run-look.ts'
import type { Place, Position, StepChoice, WorkflowStep, WorkflowTrigger } from './steps.ts'
import type { Words } from './summary.ts'

/** What the drawing and the list of a workflow show. */
export interface FlowProps {
  readonly trigger: WorkflowTrigger
  readonly steps: readonly WorkflowStep[]
  readonly words: Words
  readonly selected: Place | null
  /** The places with a problem. */
  readonly wrong: ReadonlySet<Place>
  /** What a run did at each step; undefined outside of a run. */
  readonly looks?: ReadonlyMap<Position, RunLook> | undefined
  onSelect(place: Place): void
  /** Adds a step; undefined where the workflow cannot be changed. */
  readonly onAdd?: ((choice: StepChoice, position: Position) => void) | undefined
}
