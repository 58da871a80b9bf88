import type { Field, Kind } from '../record-kinds.ts'

/** Returns the fields that can make the columns of a board: the stage, the status, and choices that people make. */
export function boardFields({ fields, pipelines }: Kind): readonly Field[] {
  const isGrouping = ({ key, type, readOnly, operators }: Field) =>
    key === 'stageId'
      ? pipelines.length > 0
      : type === 'SELECT' && (!readOnly || key === 'status') && operators.includes('is')
  const found = fields.filter(isGrouping)
  return found.toSorted((a, b) => placeOf(a) - placeOf(b))
}

const first: readonly string[] = ['stageId', 'status']

function placeOf({ key }: Field): number {
  const at = first.indexOf(key)
  return at < 0 ? first.length : at
}

/** Returns the dates that can place records in a calendar, the ones that people set first. */
export function calendarFields({ fields }: Kind): readonly Field[] {
  const dates = fields.filter(({ type, operators }) => (type === 'DATE' || type === 'DATETIME') && operators.length > 0)
  return dates.toSorted((a, b) => Number(a.readOnly) - Number(b.readOnly))
}
