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
  readonly width: number
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
        isTitle,
        isNumber,
        sortKey: field ? (field.sortable ? key : undefined) : sortedNames[kind.key],
      },
    ]
  })
}

/** The moments that are shown as an age. */
export const ages: readonly string[] = ['createdAt', 'updatedAt', 'lastActivityAt']

/** The usual columns of every kind fit beside each other on a screen of 1440 pixels. */
function usualWidth(field: Field | undefined, isTitle: boolean): number {
  if (isTitle) return 220
  if (field === undefined) return 145
  if (field.key === 'links') return 200
  if (numberTypes.includes(field.type)) return field.type === 'CURRENCY' ? 125 : 110
  if (field.type === 'EMAIL' || field.type === 'LONG_TEXT') return 195
  if (field.type === 'DATETIME') return ages.includes(field.key) ? 115 : 165
  return field.type.startsWith('DATE') || field.type === 'BOOLEAN' || field.type === 'SELECT' ? 135 : 145
}
