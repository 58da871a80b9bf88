import type { Field, Rules } from './field.ts'

/** The names of the fields for which a rule is true. */
export type NamesWith<Fields, Rule extends keyof Rules> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly rules: { readonly [One in Rule]: true } } ? Name : never
}[keyof Fields]

/** Returns the names of the fields for which a rule is true, such as `sort`, in their order. */
export function namesWith<Fields extends Readonly<Record<string, Field>>, const Rule extends keyof Rules>(
  fields: Fields,
  rule: Rule,
): readonly NamesWith<Fields, Rule>[] {
  return Object.keys(fields).filter((name) => fields[name]?.rules[rule] === true) as unknown as NamesWith<
    Fields,
    Rule
  >[]
}
