/** The names that `fields` takes: fields of the record, and custom fields as `cf_<key>`. */
export type FieldName<Record> = (keyof Record & string) | `cf_${string}`

/** The choice of a caller for the records of an answer. */
export type Shaping<Fields, Expand, Compact> =
  | { readonly fields: Fields; readonly expand?: Expand; readonly compact?: Compact }
  | { readonly fields?: undefined; readonly expand: Expand; readonly compact?: Compact }
  | { readonly fields?: undefined; readonly expand?: undefined; readonly compact: Compact }

/** The record behind an id that was expanded; null where there is none, or none that the caller may see. */
interface NamedRecord {
  readonly id: string
  readonly name: string
}

/** A record that a task or an activity is for, with its title. */
interface TitledLink {
  readonly entityType: string
  readonly entityId: string
  readonly title: string
}

/** A record as a caller chose it. */
export type ShapedRecord<Record, Fields, Expand extends readonly string[], Compact> = (
  Compact extends true
    ? Omit<Compacted<Chosen<Record, Fields>>, Expand[number]> & {
        [Name in Expand[number]]?: Name extends 'links' ? string[] : string
      }
    : Omit<Chosen<Record, Fields>, Expand[number]> & {
        [Name in Expand[number]]: Name extends 'links' ? TitledLink[] : NamedRecord | null
      }
) extends infer Members
  ? // Written out, so that an editor shows the fields.
    { [Name in keyof Members]: Members[Name] }
  : never

type Chosen<Record, Fields> = Fields extends readonly string[]
  ? number extends Fields['length']
    ? // Names that only the running program knows: every field may be there.
      Partial<Record> & Pick<Record, 'id' & keyof Record>
    : Pick<Record, KeptName<Record, Fields[number]> & keyof Record>
  : Record

/** The values of custom fields stand together in one field. */
type KeptName<Record, Name extends string> =
  | Extract<'id' | Name, keyof Record>
  | (Name extends `cf_${string}` ? Extract<keyof Record, 'customFields' | 'values'> : never)

/** A record without nulls, empty lists and empty objects. */
type Compacted<Record> = {
  [Name in keyof Record as IsNeverEmpty<Record[Name]> extends true ? Name : never]: Record[Name]
} & {
  [Name in keyof Record as IsNeverEmpty<Record[Name]> extends true ? never : Name]?: NonNullable<Record[Name]>
}

type IsNeverEmpty<Value> = [Value] extends [string | number | boolean] ? true : false

/** An answer with other records. */
export type WithRecord<Answer, Record, Other> = Answer extends Record
  ? Other
  : Answer extends readonly (infer Item)[]
    ? WithRecord<Item, Record, Other>[]
    : Answer extends object
      ? { [Name in keyof Answer]: WithRecord<Answer[Name], Record, Other> }
      : Answer
