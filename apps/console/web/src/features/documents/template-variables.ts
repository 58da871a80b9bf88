import { kindEntities, kindOf } from '@crm/model'

/** The kinds of record whose variables are offered. */
export const variableKinds = kindEntities.filter((entity) => kindOf(entity)?.letter !== undefined)

const usual = [
  'today',
  'author.name',
  'author.email',
  'organization.name',
  'organization.taxId',
  'organization.email',
  'organization.phone',
  'organization.website',
  'organization.bankDetails',
  'workspace.name',
]

/** Returns the variables for a template of a kind of record. */
export function templateVariables(entityType: string): readonly string[] {
  return [...(kindOf(entityType)?.letter ?? []).map((field) => `record.${field}`), ...usual]
}
