import { numberTypes, type Field, type Kind } from '../record-kinds.ts'
import { sortedNames, type ListColumn } from './list-state.ts'
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
  return fields.find((field) => field.key === key)?.label ?? t('common.name')
}

/** A column with everything that the table needs to know about it. */
export interface GridColumn {
  readonly key: string
  readonly label: string
  /** The field; undefined for a name that is made of several. */
  readonly field: Field | undefined
  /** The width that it has, in pixels: one that a person gave it, or the usual one, which shrinks on a narrow screen. */
  readonly width: number
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
        width: width ?? usualWidth(field, isTitle),
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

/** So much of its usual width a column gives up before the table scrolls: the usual columns of every kind fit on 1440 pixels. */
const leastShare = 0.8

/** Returns the widths of columns as lengths: the usual ones take what the table has, in proportion, down to their least. */
export function widthsOf(columns: readonly GridColumn[], before: number): readonly string[] {
  const sumOf = (some: readonly GridColumn[]) => some.reduce((sum, { width }) => sum + width, 0)
  const usual = sumOf(columns.filter(({ isUsualWidth }) => isUsualWidth))
  const given = sumOf(columns) - usual + before
  return columns.map(({ width, isUsualWidth }) =>
    isUsualWidth
      ? `clamp(${Math.round(width * leastShare)}px, (100cqi - ${given}px) * ${width} / ${usual}, ${width}px)`
      : `${width}px`,
  )
}

function usualWidth(field: Field | undefined, isTitle: boolean): number {
  if (isTitle) return 220
  if (field === undefined) return 145
  if (field.key === 'links') return 200
  if (numberTypes.includes(field.type)) return field.type === 'CURRENCY' ? 125 : 110
  if (field.type === 'EMAIL' || field.type === 'LONG_TEXT') return 195
  if (field.type === 'DATETIME') return ages.includes(field.key) ? 115 : 165
  return field.type.startsWith('DATE') || field.type === 'BOOLEAN' || field.type === 'SELECT' ? 135 : 145
}
