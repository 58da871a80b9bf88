import { draftOf, isEmptyDraft, valueOf, wireOf, type Drafts } from './field-values.ts'
import type { AnyRecord } from './record-calls.ts'
import type { Field, Kind } from './record-kinds.ts'
import { t } from '../base/texts.ts'

/** The facts about the person who fills in a form, and about its purpose. */
export interface Beginning {
  readonly personId: string
  readonly currency: string
  /** The initial values of the new record that are already decided. */
  readonly initial: Drafts
}

/** Returns the fields of a new record that people can fill in; the status of a record with stages follows from its stage. */
export function writableFields({ fields, pipelines }: Kind): readonly Field[] {
  return fields.filter(
    ({ key, type, readOnly }) => !readOnly && type !== 'OTHER' && !(key === 'status' && pipelines.length > 0),
  )
}

/**
 * Returns the initial content of a new record's form: the defaults, the first stage of the default pipeline, and the
 * decided values.
 */
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

/** The fields that identify one record, or that tell how far it has come. */
const notDuplicated: readonly string[] = [
  'number',
  'sku',
  'barcode',
  'domain',
  'taxId',
  'isDefault',
  'ownerId',
  'status',
  'stageId',
  'lostReason',
  'progress',
]

/** Returns the content of the form for another record like this one. */
export function duplicateOf(kind: Kind, record: AnyRecord): Drafts {
  const copied = writableFields(kind)
    .filter(({ key }) => !notDuplicated.includes(key))
    .map((field) => [field, draftOf(field, valueOf(record, field))] as const)
  return Object.fromEntries(
    copied.filter(([field, draft]) => !isEmptyDraft(field, draft)).map(([{ key }, draft]) => [key, draft]),
  )
}

/** Returns a pipeline, the default one unless given, and its first stage. */
export function placeIn({ pipelines }: Kind, pipelineId?: string): Drafts {
  const usable = pipelines.filter(({ isActive }) => isActive)
  const pipeline = usable.find(({ id }) => id === pipelineId) ?? usable.find(({ isDefault }) => isDefault) ?? usable[0]
  if (pipeline === undefined) return {}
  return { pipelineId: pipeline.id, stageId: pipeline.stages[0]?.id ?? null }
}

/** Whether a new record in its stage must have a value of a field. */
export function isNeeded(field: Field, drafts: Drafts): boolean {
  return field.required || field.requiredInStages.some((stageId) => stageId === drafts['stageId'])
}

/** Whether a form shows a field at once; the others come with “More fields”. */
export function isUsual(field: Field, drafts: Drafts): boolean {
  return field.group === 'MAIN' || isNeeded(field, drafts)
}

/** Returns the missing values, by field. */
export function missingIn(kind: Kind, drafts: Drafts): Readonly<Record<string, string>> {
  const missing = writableFields(kind).filter(
    (field) => isNeeded(field, drafts) && isEmptyDraft(field, drafts[field.key]),
  )
  return Object.fromEntries(missing.map(({ key, label }) => [key, t('{label} is required.', { label })]))
}

/** Returns the values for the new record: the filled-in fields, and the emptied defaults. */
export function valuesIn(kind: Kind, drafts: Drafts): Readonly<Record<string, unknown>> {
  const filled = kind.fields.filter((field) => field.key in drafts && !isEmptyDraft(field, drafts[field.key]))
  // An emptied owner field means a record without an owner.
  const emptied = ['ownerId', 'assigneeId'].filter((key) => key in drafts && drafts[key] === null)
  return Object.fromEntries([
    ...filled.map((field) => [field.key, wireOf(field, drafts[field.key] ?? null)]),
    ...emptied.map((key) => [key, null]),
  ])
}

/** Returns the filled-in values of some fields, by which a new record is compared with the known ones. */
export function signsIn(kind: Kind, keys: readonly string[], drafts: Drafts): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(valuesIn(kind, drafts)).filter(([key]) => keys.includes(key)))
}

/** Returns the fields that a typed title fills: the name, or the first and the last name of a person. */
export function draftsOfTitle({ titleFields }: Kind, title: string): Drafts {
  const [first = 'name', last] = titleFields
  const at = title.lastIndexOf(' ')
  if (last === undefined || at < 0) return { [first]: title }
  return { [first]: title.slice(0, at).trim(), [last]: title.slice(at + 1) }
}
