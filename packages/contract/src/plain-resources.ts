import { resourceName, tableOfPlainKinds, type PlainEntity, type PlainKind, type plainKinds } from '@crm/model'
import type { Resource } from './operation.ts'
import { ownedRecords } from './owned-records.ts'
import { resource } from './resource.ts'
import type { WithShapes } from './shapes.ts'

type Kinds = typeof plainKinds
type NameOf<Entity extends PlainEntity> = ReturnType<typeof resourceName<Kinds[Entity]['stem']>>

/** The resources of the kinds of which nothing is special, by name. */
export const plainResources = tableOfPlainKinds<{
  readonly [Entity in PlainEntity as NameOf<Entity>]: Resource<
    NameOf<Entity>,
    WithShapes<ReturnType<typeof ownedRecords<Kinds[Entity]>>>
  >
}>((kind) => {
  const name = resourceName(kind.stem)
  return [name, resource({ name, entity: kind.entity }, kind.module, ownedRecords(kind as never))]
})

/** The resource of such a kind, as code sees it that knows none of them. */
type PlainResource = Resource<
  string,
  WithShapes<ReturnType<typeof ownedRecords<PlainKind & { readonly entity: never }>>>
>

/** Returns the resource of a kind of which nothing is special. */
export function plainResource({ stem }: PlainKind): PlainResource {
  return (plainResources as unknown as Readonly<Record<string, PlainResource>>)[resourceName(stem)] as PlainResource
}
