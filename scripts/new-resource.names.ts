/** The forms of a resource's name. */
export interface ResourceNames {
  /** `price-lists`: folder, file prefix, path. */
  readonly plural: string
  /** `price list`: for sentences. */
  readonly noun: string
  /** `priceLists`: contract key. */
  readonly camel: string
  /** `PriceLists` */
  readonly pascal: string
  /** `price_lists`: table. */
  readonly table: string
  /** `price lists` */
  readonly title: string
  /** `priceList` */
  readonly singular: string
  /** `price-list`: file of a kind in the model. */
  readonly singularPlace: string
  /** `PriceList` */
  readonly singularPascal: string
  /** `PRICE_LIST`: in permissions. */
  readonly entity: string
}

/** The template of a kind of resource. */
export interface ResourceTemplate {
  /** Returns the files, by path from the root. */
  files(names: ResourceNames): Readonly<Record<string, string>>
  /** Returns the further places that list it, besides the places of every resource: patterns and replacements, by path from the root. */
  listed(names: ResourceNames): Readonly<Record<string, readonly (readonly [RegExp, string])[]>>
  /** What the columns of its table hold, as packages/db/src/schema/holdings.ts says it. */
  holdings(names: ResourceNames): string
  /** A valid body for its creation, in the form of a test. */
  readonly sample: string
  /** Returns the statements of its migration that the schema cannot express. */
  statements(names: ResourceNames): readonly string[]
}

/** Returns the paths of a resource's parts from the root. */
export function placesOf({ plural, singularPlace }: ResourceNames) {
  const folder = `apps/crm-api/src/resources/${plural}/${plural}`
  return {
    model: `packages/model/src/kinds/${singularPlace}.ts`,
    contract: `packages/contract/src/resources/${plural}.ts`,
    schema: `packages/db/src/schema/${plural}.ts`,
    kind: `apps/crm-api/src/kinds/${plural}.ts`,
    commands: `${folder}.commands.ts`,
    handlers: `${folder}.handlers.ts`,
    test: `${folder}.test.ts`,
  }
}
