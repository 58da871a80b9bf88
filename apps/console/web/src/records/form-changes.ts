/** The fields of a form as trimmed text; empty for an empty field. */
export type FormText<Field extends string> = Readonly<Record<Field, string>>

/** Reads fields of a form. */
export function readFields<const Field extends string>(form: FormData, fields: readonly Field[]): FormText<Field> {
  const entries = fields.map((field) => {
    const value = form.get(field)
    return [field, typeof value === 'string' ? value.trim() : '']
  })
  return Object.fromEntries(entries) as FormText<Field>
}

/** Returns the fields that differ from the record; an emptied field is null. */
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

/** Returns a record's value as text for a form field. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
