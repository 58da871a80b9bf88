import {
  customFieldPrefix,
  describeCustomField,
  describeCustomRecords,
  describedEntityTypes,
  describeKind,
  recordSchema,
  type DeclaredField,
  type RecordField,
  type RecordKindSchema,
} from '@crm/contract'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { recallCustomEntities, type CustomEntity } from '../../../records/custom-kinds.ts'
import { isSwitchedOff } from '../../../records/rights.ts'
import { listCustomFields, listDescribedPipelines, type DescribedPipeline } from './schema.repository.ts'

export const implementedSchema = implement(recordSchema, {
  get: async (_input, context) => {
    const { db, workspace } = context
    const customFields = await listCustomFields(db, workspace.id)
    const pipelines = await listDescribedPipelines(db, workspace.id)
    const entities = await recallCustomEntities(db, context)
    return {
      kinds: [
        ...describedEntityTypes.flatMap((key) => {
          const described = describeKind(key)
          if (!described || !maySee(context, key)) return []
          return [builtInKind(context, key, described, customFields.get(key) ?? [], pipelines)]
        }),
        ...entities
          .filter(({ entityType }) => maySee(context, entityType))
          .map((entity) => customKindSchema(context, entity)),
      ],
    }
  },
})

function maySee({ caller, workspace }: CrmContext, entityType: string): boolean {
  const permission = `VIEW_${entityType}`
  return caller.effective.has(permission) && !isSwitchedOff({ workspace }, permission)
}

function builtInKind(
  context: CrmContext,
  key: string,
  { noun, plural, icon, titleFields, fields }: NonNullable<ReturnType<typeof describeKind>>,
  custom: readonly DeclaredField[],
  all: readonly DescribedPipeline[],
): RecordKindSchema {
  const own = all.filter(({ entityType }) => entityType === key)
  return {
    key,
    noun,
    plural,
    icon,
    isCustom: false,
    titleFields: [...titleFields],
    pipelines: own.map(({ pipeline }) => pipeline),
    may: mayOf(context, key),
    fields: [...fields, ...custom.map(describeCustomField)].map((field) => ({
      ...field,
      requiredInStages: stagesThatRequire(field, own),
    })),
  }
}

function customKindSchema(
  context: CrmContext,
  { entityType, labels, fields, hasOwner }: CustomEntity,
): RecordKindSchema {
  const byNature = describeCustomRecords().filter(({ key }) => hasOwner || key !== 'ownerId')
  return {
    key: entityType,
    noun: labels.singular,
    plural: labels.plural,
    icon: 'records',
    isCustom: true,
    titleFields: ['title'],
    pipelines: [],
    may: mayOf(context, entityType),
    fields: [...byNature, ...fields.map(describeCustomField)],
  }
}

function mayOf({ caller }: CrmContext, entityType: string): RecordKindSchema['may'] {
  const may = (action: string) => caller.effective.has(`${action}_${entityType}`)
  return { create: may('CREATE'), update: may('UPDATE'), delete: may('DELETE') }
}

/** Returns the stages that require a field. A stage may require a field, a custom field, or a part of an address. */
function stagesThatRequire({ key }: RecordField, pipelines: readonly DescribedPipeline[]): string[] {
  const isMeant = (name: string) =>
    name.replace(/^customFields\./, customFieldPrefix) === key || name.startsWith(`${key}.`)
  return pipelines.flatMap(({ requiredFields }) =>
    [...requiredFields].filter(([, names]) => names.some(isMeant)).map(([stageId]) => stageId),
  )
}
