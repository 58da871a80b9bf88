import type { Subject, WorkflowStep } from './steps.ts'
import type { Words } from './summary.ts'
import type { Variable } from './variables.ts'

/** A step of some types. */
export type Typed<Type extends WorkflowStep['type']> = Extract<WorkflowStep, { type: Type }>

/** What the settings of one type of step are made of. */
export interface StepFieldsProps<Step extends WorkflowStep> {
  readonly step: Step
  /** The data of the trigger and of earlier steps. */
  readonly variables: readonly Variable[]
  readonly words: Words
  /** The record whose change starts the workflow. */
  readonly subject: Subject | undefined
  /** The problems of the step by the member that they are about. */
  readonly errors: Readonly<Record<string, string>>
  onChange(step: WorkflowStep): void
}
