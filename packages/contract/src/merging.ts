import { company, contact, lead, type Field } from '@crm/model'

/** The fields whose value in a merge can be that of any of the merged records, by entity type. */
export const preferableFields = {
  LEAD: preferredOf(lead.fields),
  CONTACT: preferredOf(contact.fields),
  COMPANY: preferredOf(company.fields),
} as const

type Preferred<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly rules: { readonly preferred: true } } ? Name : never
}[keyof Fields]

function preferredOf<Fields extends Readonly<Record<string, Field>>>(fields: Fields): readonly Preferred<Fields>[] {
  const names = Object.keys(fields).filter((name) => fields[name]?.rules.preferred)
  return names as unknown as Preferred<Fields>[]
}
