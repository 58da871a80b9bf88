import { plainKinds, resourceName, type Field, type FieldType, type PlainEntity, type PlainKind } from '@crm/model'

/** A way to make records of a kind of which nothing is special. */
export interface PlainSample {
  readonly entity: PlainEntity
  readonly resource: string
  readonly path: string
  /** Returns a body with a word in its title, and what else a record needs. */
  body(word: string): Readonly<Record<string, unknown>>
}

/** One way for each kind of which nothing is special, so that tests of every kind know it. */
export const plainSamples: readonly PlainSample[] = Object.values<PlainKind>(plainKinds).map(plainSample)

/** Returns a way to make records of a kind of which nothing is special. */
export function plainSample(kind: PlainKind): PlainSample {
  return {
    entity: kind.entity as PlainEntity,
    resource: resourceName(kind.stem),
    path: `/api/${kind.stem}`,
    body: (word) =>
      Object.fromEntries(
        Object.entries<Field>(kind.fields).flatMap(([name, field]) =>
          kind.title.includes(name) || field.rules.presence === 'required' ? [[name, valueOf(field, word)]] : [],
        ),
      ),
  }
}

function valueOf({ type, rules }: Field, word: string): unknown {
  if (type === 'choice') return rules.values?.[0]
  const known: Readonly<Partial<Record<FieldType, unknown>>> = {
    text: word,
    email: `${word}@example.com`,
    domain: `${word}.example`,
    phone: '+15550100',
    integer: rules.min ?? 1,
    percent: 1,
    money: '1',
    flag: true,
    day: '2030-01-02',
    instant: '2030-01-02T08:00:00.000Z',
  }
  if (type in known) return known[type]
  throw new Error(`Tests need to know a sample of a ${type}`)
}
