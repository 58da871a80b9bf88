import type { WorkflowDraft } from './steps.ts'

interface Shown {
  readonly name?: string
  readonly trigger: Readonly<Record<string, unknown>>
  readonly steps: readonly Readonly<Record<string, unknown>>[]
}

/** Returns a workflow as the API shows it in the form in which it is edited. The API checks it when it is saved. */
export function draftOf({ name = '', trigger, steps }: Shown): WorkflowDraft {
  return { name, trigger, steps } as unknown as WorkflowDraft
}
