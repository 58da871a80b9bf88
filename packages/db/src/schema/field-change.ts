/** The change of one field of a record. */
export interface FieldChange {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}
