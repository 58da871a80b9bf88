import type { Field } from '../../records/record-kinds.ts'

/** Returns a field that refers to one record and belongs to no kind, for a control outside of a record's form. */
export function looseReference(label: string, references: string): Field {
  return {
    key: 'record',
    label,
    type: 'REFERENCE',
    options: [],
    references,
    group: 'MAIN',
    maxLength: null,
    required: true,
    requiredInStages: [],
    readOnly: false,
    default: null,
    operators: [],
    sortable: false,
    aggregates: [],
  }
}
