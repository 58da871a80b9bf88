/** How one field of a record changed. */
export interface FieldChange {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}
