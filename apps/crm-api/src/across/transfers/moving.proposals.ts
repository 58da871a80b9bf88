import type { MigrationColumnPlan, TransferredEntity } from '@crm/contract'
import { fieldsOf, kindOf, referencesOf } from '@crm/model'
import type * as tables from '@crm/tables'
import type { ColumnGuess, NamedField } from '@crm/tables'
import { targetOf, titledKind, type ColumnTarget } from './moving.columns.ts'

type Reader = Pick<typeof tables, 'fieldsNamed' | 'isKeyTitle' | 'titleKey' | 'phoneFormOf'>

/** A kind of record with the fields that its columns can go to. */
export interface ProposedKind {
  readonly entityType: TransferredEntity
  readonly targets: ReadonlyMap<string, ColumnTarget>
}

/** A column with what its values show. */
export interface SeenColumn {
  readonly at: number
  readonly guess: ColumnGuess
  /** How many of the rows looked at have a value. */
  readonly filled: number
  readonly lostLetters: boolean
}

/** A field for each column, by its position. */
type Chosen = ReadonlyMap<number, NamedField>

/** What a title is worth that names the kind itself, and the name of a file that does. */
const namesKindWorth = 1
const fileNameWorth = 3
/** What it takes from a kind that no column has the name of its records. */
const namelessWorth = 1
/** Below this, nobody would have guessed the kind. */
const sureScore = 8

/** Returns the kind that the rows of a file most probably are, by its name and its titles. */
export function proposeKind(
  fileName: string,
  columns: readonly SeenColumn[],
  kinds: readonly ProposedKind[],
  reader: Reader,
): { readonly kind: TransferredEntity | null; readonly confidence: number } {
  const name = ` ${fileTitle(fileName, reader)} `
  const judged = kinds.map((kind) => {
    const chosen = [...proposeFields(columns, kind, reader).values()]
    const isNamed = chosen.some(({ field }) => field === 'fullName' || kindOf(kind.entityType)?.title.includes(field))
    const known = chosen.reduce((sum, { confidence }) => sum + confidence ** 2, 0)
    const own = columns.filter(({ guess }) => namesKind(reader.titleKey(guess.title), kind, reader)).length
    const inName = calledBy(kind.entityType, reader).some((word) => name.includes(` ${word}`))
    const score = known + own * namesKindWorth + (inName ? fileNameWorth : 0) - (isNamed ? 0 : namelessWorth)
    return { kind: kind.entityType, score }
  })
  const [best, second] = judged.toSorted((a, b) => b.score - a.score)
  if (!best || best.score <= 0) return { kind: null, confidence: 0 }
  const lead = second ? (best.score - second.score) / best.score : 1
  return { kind: best.kind, confidence: rounded(Math.min(1, (best.score / sureScore) * (0.6 + lead))) }
}

/** Returns the name of a file, without its ending, as titles are compared. */
export function fileTitle(fileName: string, { titleKey }: Pick<Reader, 'titleKey'>): string {
  return titleKey(fileName.replace(/\.\w+$/, ''))
}

const rounded = (share: number): number => Math.round(share * 100) / 100

/** Returns the words by which people call the records of a kind, as titles are compared. */
export function calledBy(entityType: string, { titleKey }: Pick<Reader, 'titleKey'>): readonly string[] {
  return (kindOf(entityType)?.called ?? []).map(titleKey)
}

/** Whether a title names a field of the kind itself, such as “Deal Stage” for deals. */
function namesKind(title: string, { entityType }: ProposedKind, reader: Reader): boolean {
  return calledBy(entityType, reader).some((word) => title.startsWith(`${word} `) && !/ (?:id|ids|owner)$/.test(title))
}

/** What is surely no title of the field, however alike it sounds. */
const leastConfidence = 0.5
const byValuesConfidence = 0.6

/** Returns a field for each column: what its title names first, then what stands in it. A field that takes one column gets the best. */
function proposeFields(columns: readonly SeenColumn[], kind: ProposedKind, reader: Reader): Chosen {
  const fields = [...kind.targets.keys()]
  const titled = titledKind(kind.entityType, fields)
  const labels = new Map(
    [...kind.targets.values()].flatMap(({ name, label }) =>
      label === null ? [] : [[reader.titleKey(label), name] as const],
    ),
  )
  const wishes = columns.flatMap(({ at, guess, filled }) => {
    const custom = labels.get(reader.titleKey(guess.title))
    const named = custom ? [{ field: custom, confidence: 1 }] : reader.fieldsNamed(guess.title, titled)
    return named.map((one) => ({ at, field: one.field, confidence: judgedBy(one, guess, kind, filled, reader) }))
  })
  const chosen = new Map<number, NamedField>()
  const taken = new Set<string>()
  const isFree = (field: string): boolean => !taken.has(field) || takesMore(kind.targets.get(field))
  const choose = (at: number, field: string, confidence: number): void => {
    if (chosen.has(at) || !isFree(field) || confidence < leastConfidence) return
    chosen.set(at, { field, confidence: rounded(confidence) })
    taken.add(field)
  }
  for (const { at, field, confidence } of wishes.toSorted((a, b) => b.confidence - a.confidence || a.at - b.at))
    choose(at, field, confidence)
  for (const { at, guess, filled } of columns) {
    const field = filled > 0 && (guess.meaning === 'email' || guess.meaning === 'phone') ? guess.meaning : undefined
    const further = field && taken.has(field) ? `${field}s` : field
    if (further && kind.targets.has(further) && guess.confidence > leastConfidence)
      choose(at, further, byValuesConfidence)
  }
  return chosen
}

/** Several columns can name one record, and several texts one description. */
function takesMore(target: ColumnTarget | undefined): boolean {
  return target !== undefined && (target.takesSeveral || (target.field.type === 'reference' && isRecord(target)))
}

function isRecord(target: ColumnTarget): boolean {
  return kindOf(targetOf(target) ?? '') !== undefined
}

/**
 * Lowers the confidence where what stands in the column does not fit what its title says: an empty column gives way to one with values, and keys of
 * stages, people and the like, which no file brings, to their names.
 */
function judgedBy(
  { field, confidence }: NamedField,
  guess: ColumnGuess,
  { targets }: ProposedKind,
  filled: number,
  { isKeyTitle }: Reader,
): number {
  const target = targets.get(field)
  if (!target) return confidence
  const isPerson = targetOf(target) === 'EMPLOYEE'
  // Nobody in “assigneeId” is nobody, where “owner” could be the assignee too.
  if (filled === 0) return isPerson && confidence === 1 ? confidence : confidence / 2
  if (targetOf(target) !== undefined && !isRecord(target) && isKeyTitle(guess.title)) return confidence - 0.2
  const fits = meaningsOf(target)
  return fits === undefined || fits.includes(guess.meaning) ? confidence : confidence - 0.4
}

/** What stands in a column of a field whose values have a form; undefined where anything may. */
function meaningsOf({ name, field }: ColumnTarget): readonly string[] | undefined {
  if (field.type === 'email' || name === 'emails') return ['email']
  if (field.type === 'phone' || name === 'phones') return ['phone', 'number', 'id', 'text']
  if (field.type === 'day' || field.type === 'instant') return ['day', 'instant', 'number']
  if (field.type === 'money') return ['money', 'number']
  if (field.type === 'percent') return ['percent', 'number']
  return undefined
}

/** Returns the plan of each column: its field, how its values are written, and what becomes of names that are not here. */
export function planColumns(
  columns: readonly SeenColumn[],
  kind: ProposedKind | undefined,
  mayCreate: (entityType: string) => boolean,
  reader: Reader,
): MigrationColumnPlan[] {
  const chosen: Chosen = kind ? proposeFields(columns, kind, reader) : new Map()
  return columns.map(({ at, guess, filled, lostLetters }) => {
    const proposed = chosen.get(at)
    const target = proposed && kind?.targets.get(proposed.field)
    return {
      at,
      header: guess.title,
      field: proposed?.field ?? null,
      confidence: proposed?.confidence ?? 0,
      format: formatOf(guess),
      onMissing: target ? usualOnMissing(target, guess.title, kind?.entityType ?? '', mayCreate, reader) : null,
      filled,
      samples: [...guess.samples],
      lostLetters,
    }
  })
}

function formatOf({ format }: ColumnGuess): MigrationColumnPlan['format'] {
  return {
    phones: format.phones ? (format.phones === 'international' ? 'INTERNATIONAL' : 'NATIONAL') : null,
    validWithPlus: format.validWithPlus ?? null,
    currency: format.currency ?? null,
  }
}

/** Returns what becomes of names that nothing here has: companies are made of them, where people may make companies. */
export function usualOnMissing(
  target: ColumnTarget,
  title: string,
  entityType: string,
  mayCreate: (entityType: string) => boolean,
  reader: Pick<Reader, 'isKeyTitle'>,
): MigrationColumnPlan['onMissing'] {
  const to = targetOf(target)
  if (to === undefined) return null
  // A record of the same kind may stand further below.
  if (to === entityType) return 'EMPTY'
  const madeOfName = kindOf(to)?.title.length === 1 && (kindOf(to)?.transferred ?? false)
  const isPlain = target.field.type === 'reference' && !reader.isKeyTitle(title)
  return isPlain && madeOfName && hasOnlyName(to) && mayCreate(to) ? 'CREATE' : 'EMPTY'
}

/** Whether a name is all that a record of a kind needs, and it refers to nothing that only a person would know. */
function hasOnlyName(entityType: string): boolean {
  const needed = Object.entries(fieldsOf(entityType)).filter(([, { rules }]) => rules.presence === 'required')
  return needed.length === 1 && referencesOf(entityType).every(({ to }) => to !== 'STAGE')
}
