import { isEmptyDraft, wireOf, type Drafts } from './field-values.ts'
import type { Field, Kind } from './record-kinds.ts'

/** What a form knows of who fills it in. */
export interface Beginning {
  readonly personId: string
  readonly currency: string
  /** What the new record is to have, where that is settled already. */
  readonly initial: Drafts
}

/** The fields of a new record that people can fill in; the status of what has stages follows from its stage. */
export function writableFields({ fields, pipelines }: Kind): readonly Field[] {
  return fields.filter(
    ({ key, type, readOnly }) => !readOnly && type !== 'OTHER' && !(key === 'status' && pipelines.length > 0),
  )
}

/** What a form of a new record begins with: its defaults, the first stage of the default pipeline, and what is settled. */
export function beginningOf(kind: Kind, { personId, currency, initial }: Beginning): Drafts {
  const defaults = writableFields(kind)
    .filter((field) => field.default !== null)
    .map((field) => [field.key, field.default === 'me' ? personId : field.default])
  const hasCurrency = kind.fields.some(({ key }) => key === 'currency')
  return {
    ...Object.fromEntries(defaults),
    ...(hasCurrency ? { currency } : {}),
    ...placeIn(kind, typeof initial['pipelineId'] === 'string' ? initial['pipelineId'] : undefined),
    ...initial,
  }
}

/** A pipeline, the default one unless told, and its first stage. */
export function placeIn({ pipelines }: Kind, pipelineId?: string): Drafts {
  const usable = pipelines.filter(({ isActive }) => isActive)
  const pipeline = usable.find(({ id }) => id === pipelineId) ?? usable.find(({ isDefault }) => isDefault) ?? usable[0]
  if (pipeline === undefined) return {}
  return { pipelineId: pipeline.id, stageId: pipeline.stages[0]?.id ?? null }
}

/** Whether a new record in that stage must have a value of a field. */
export function isNeeded(field: Field, drafts: Drafts): boolean {
  return field.required || field.requiredInStages.some((stageId) => stageId === drafts['stageId'])
}

/** The fields that stand in a form at once; the others come with “More fields”. */
export function isUsual(field: Field, drafts: Drafts): boolean {
  return field.group === 'MAIN' || isNeeded(field, drafts)
}

/** What is missing, by field. */
export function missingIn(kind: Kind, drafts: Drafts): Readonly<Record<string, string>> {
  const missing = writableFields(kind).filter(
    (field) => isNeeded(field, drafts) && isEmptyDraft(field, drafts[field.key]),
  )
  return Object.fromEntries(missing.map(({ key, label }) => [key, `${label} is required.`]))
}

/** The values that a new record is made with: what was filled in, and what was emptied of its defaults. */
export function valuesIn(kind: Kind, drafts: Drafts): Readonly<Record<string, unknown>> {
  const filled = kind.fields.filter((field) => field.key in drafts && !isEmptyDraft(field, drafts[field.key]))
  // A record of nobody is one whose owner was taken out of the form.
  const emptied = ['ownerId', 'assigneeId'].filter((key) => key in drafts && drafts[key] === null)
  return Object.fromEntries([
    ...filled.map((field) => [field.key, wireOf(field, drafts[field.key] ?? null)]),
    ...emptied.map((key) => [key, null]),
  ])
}

/** What a title that was typed says of a new record: its name, or the first and the last name of a person. */
export function draftsOfTitle({ titleFields }: Kind, title: string): Drafts {
  const [first = 'name', last] = titleFields
  const at = title.lastIndexOf(' ')
  if (last === undefined || at < 0) return { [first]: title }
  return { [first]: title.slice(0, at).trim(), [last]: title.slice(at + 1) }
}
