/** The fields of a form as text, trimmed; empty where nothing stands. */
export type FormText<Field extends string> = Readonly<Record<Field, string>>

/** Reads fields of a form. */
export function readFields<const Field extends string>(form: FormData, fields: readonly Field[]): FormText<Field> {
  const entries = fields.map((field) => {
    const value = form.get(field)
    return [field, typeof value === 'string' ? value.trim() : '']
  })
  return Object.fromEntries(entries) as FormText<Field>
}

/** The fields that differ from what a record holds; what was emptied is null. */
export function changedText<Field extends string>(
  record: Readonly<Partial<Record<Field, unknown>>>,
  text: FormText<Field>,
): Partial<Record<Field, string | null>> {
  const changed = (Object.entries(text) as [Field, string][]).filter(
    ([field, value]) => value !== textOf(record[field]),
  )
  return Object.fromEntries(changed.map(([field, value]) => [field, value === '' ? null : value])) as Partial<
    Record<Field, string | null>
  >
}

/** A value of a record as its field of a form begins. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
