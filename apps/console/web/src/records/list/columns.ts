import { numberTypes, type Field, type Kind } from '../record-kinds.ts'
import { sortedNames, type ListColumn } from './list-state.ts'
import { foreignZone } from '../../base/moments.ts'
import { t } from '../../base/texts.ts'

/** Returns the key of the column that names a record: its only title field, otherwise the name made of several. */
export function titleKeyOf({ titleFields }: Pick<Kind, 'titleFields'>): string {
  return titleFields.length === 1 ? (titleFields[0] as string) : 'name'
}

/** Whether a field can be a column besides the one that names the record. */
export function isShowable({ key, type }: Field, kind: Kind): boolean {
  return (type !== 'OTHER' || key === 'links') && key !== titleKeyOf(kind)
}

/** Returns the heading of a column. */
export function columnLabel(key: string, { fields }: Kind): string {
  return fields.find((field) => field.key === key)?.label ?? t('Name')
}

/** A column with everything that the table needs to know about it. */
export interface GridColumn {
  readonly key: string
  readonly label: string
  /** The field; undefined for a name that is made of several. */
  readonly field: Field | undefined
  /** The width that it has, in pixels: one that a person gave it, or the usual one, which shrinks on a narrow screen. */
  readonly width: number
  /** The least of its usual width, in pixels. */
  readonly leastWidth: number
  readonly isUsualWidth: boolean
  readonly isTitle: boolean
  readonly isNumber: boolean
  /** What the list is sorted by for this column; undefined where it cannot be. */
  readonly sortKey: string | undefined
}

/** Returns the columns of a table: the one that names the record first, and none whose field is gone. */
export function gridColumns(columns: readonly ListColumn[], kind: Kind): readonly GridColumn[] {
  const titleKey = titleKeyOf(kind)
  const title = columns.find(({ key }) => key === titleKey) ?? { key: titleKey }
  return [title, ...columns.filter((column) => column !== title)].flatMap((column) => {
    const { key, width } = column
    const field = kind.fields.find((one) => one.key === key)
    const isTitle = column === title
    if (!isTitle && (field === undefined || !isShowable(field, kind))) return []
    const isNumber = field !== undefined && numberTypes.includes(field.type)
    return [
      {
        key,
        label: columnLabel(key, kind),
        field,
        ...widthsFor(field, isTitle),
        ...(width === undefined ? {} : { width }),
        isUsualWidth: width === undefined,
        isTitle,
        isNumber,
        sortKey: field ? (field.sortable ? key : undefined) : sortedNames[kind.key],
      },
    ]
  })
}

/** The moments that are shown as an age. */
export const ages: readonly string[] = ['createdAt', 'updatedAt', 'lastActivityAt']

/** The most that the name of a record takes of a wide window, in pixels. */
const titleMost = 440

/**
 * Returns the widths of columns as lengths. Between their least and their usual widths columns share what the table has; what is left
 * after that is for the name of a record. A column to which a person gave a width keeps it.
 */
export function widthsOf(columns: readonly GridColumn[], before: number): readonly string[] {
  const sumOf = (some: readonly GridColumn[], of: 'width' | 'leastWidth') => some.reduce((sum, one) => sum + one[of], 0)
  const free = columns.filter(({ isUsualWidth }) => isUsualWidth)
  const given = before + sumOf(columns, 'width') - sumOf(free, 'width')
  const [least, usual] = [sumOf(free, 'leastWidth'), sumOf(free, 'width')]
  const spare = `(100cqi - ${given + least}px)`
  return columns.map(({ width, leastWidth, isUsualWidth, isTitle }) => {
    if (!isUsualWidth) return `${width}px`
    const shared = `${leastWidth}px + ${spare} * ${width - leastWidth} / ${Math.max(1, usual - least)}`
    if (!isTitle) return `clamp(${leastWidth}px, ${shared}, ${width}px)`
    return `clamp(${leastWidth}px, max(${shared}, 100cqi - ${given + usual - width}px), ${titleMost}px)`
  })
}

interface Widths {
  readonly leastWidth: number
  readonly width: number
}

/** Returns the width that a column has where there is room, and the one below which the table scrolls instead: the usual columns of every kind fit on 1440 pixels. */
function widthsFor(field: Field | undefined, isTitle: boolean): Widths {
  const between = (leastWidth: number, width: number): Widths => ({ leastWidth, width })
  // The names of people and the numbers of papers are short, those of deals and companies longer, and what is to be done is a sentence.
  if (isTitle && (field === undefined || field.key === 'number')) return between(145, 200)
  if (isTitle) return field?.key === 'title' ? between(240, titleMost) : between(180, 280)
  if (field === undefined) return between(115, 145)
  if (field.key === 'links') return between(155, 200)
  if (field.type === 'CURRENCY') return between(100, 125)
  if (numberTypes.includes(field.type)) return between(80, 110)
  if (field.type === 'EMAIL' || field.type === 'LONG_TEXT') return between(155, 250)
  // A time that lost its end says nothing: its least width shows all of it.
  if (field.type === 'DATETIME') return ages.includes(field.key) ? between(122, 122) : timeWidths()
  if (field.type === 'DATE') return between(115, 130)
  if (field.references === 'EMPLOYEE') return between(128, 145)
  if (field.type === 'SELECT' || field.type === 'BOOLEAN') return between(120, 132)
  return between(120, 200)
}

/** The name of a zone stands beside a time that the browser would show otherwise. */
const timeWidths = (): Widths =>
  foreignZone() === undefined ? { leastWidth: 122, width: 130 } : { leastWidth: 168, width: 175 }
