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
  /** `PriceList` */
  readonly singularPascal: string
  /** `PRICE_LIST`: in permissions. */
  readonly entity: string
}

/** What a kind of resource is written from. */
export interface ResourceTemplate {
  /** The files, by path from the root. */
  files(names: ResourceNames): Readonly<Record<string, string>>
  /** Where it is listed besides the places of every resource: what is replaced by what, by path from the root. */
  listed(names: ResourceNames): Readonly<Record<string, readonly (readonly [RegExp, string])[]>>
  /** A valid body for its creation, as a test writes it. */
  readonly sample: string
  /** The statements of its migration that no schema tells. */
  statements(names: ResourceNames): readonly string[]
}

/** Where the parts of a resource stand, by path from the root. */
export function placesOf({ plural }: ResourceNames) {
  const folder = `apps/crm-api/src/resources/${plural}/${plural}`
  return {
    contract: `packages/contract/src/resources/${plural}.ts`,
    schema: `packages/db/src/schema/${plural}.ts`,
    kind: `apps/crm-api/src/kinds/${plural}.ts`,
    handlers: `${folder}.handlers.ts`,
    test: `${folder}.test.ts`,
  }
}
