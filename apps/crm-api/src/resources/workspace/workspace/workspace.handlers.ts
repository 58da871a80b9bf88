import { success, usage, workspace, workspaceModules } from '@crm/contract'
import { fieldChanges, schema } from '@crm/db'
import { ApiError } from '@crm/errors'
import { modules, quotas, storageQuota } from '@crm/permissions'
import { eq } from 'drizzle-orm'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit, changingWorkspace } from '../../../records/audit.ts'
import { requireCurrency } from '../../../records/currencies.ts'
import { countStored, countUsed, storageLimitOf } from '../../../records/quotas.ts'

export const implementedWorkspace = implement(workspace, {
  get: async (_input, context) => success(await readWorkspaceRecord(context)),

  update: async ({ body }, context) => {
    const { brand, ...fields } = body
    if (fields.currency !== context.workspace.currency) await requireCurrency(context.db, context, fields.currency)
    const before = await readWorkspaceRecord(context)
    await changingWorkspace(context, async (tx) => {
      const set = {
        ...fields,
        ...(brand ? { brand: { ...context.workspace.brand, ...brand } } : {}),
        updatedAt: context.at,
      }
      await tx.update(schema.workspaces).set(set).where(eq(schema.workspaces.id, context.workspace.id))
      await audit(tx, context, {
        action: 'workspace.changed',
        subjectType: 'WORKSPACE',
        subjectId: context.workspace.id,
        summary: 'Changed the workspace settings',
        changes: fieldChanges(before, { ...fields, ...(brand ? { brand: { ...before.brand, ...brand } } : {}) }),
        data: { fields: Object.keys(body) },
      })
    })
    return success(await readWorkspaceRecord(context))
  },
})

async function readWorkspaceRecord({ db, workspace: { id } }: CrmContext) {
  const [row] = await db.select().from(schema.workspaces).where(eq(schema.workspaces.id, id))
  if (!row) throw new ApiError('NOT_FOUND')
  const { baseUrl: _baseUrl, inMaintenance: _inMaintenance, brand, ...rest } = row
  return {
    ...rest,
    brand: {
      companyName: brand.companyName ?? null,
      logo: brand.logo ?? null,
      primaryColor: brand.primaryColor ?? null,
    },
  }
}

export const implementedModules = implement(workspaceModules, {
  list: async (_input, { workspace: { modulesOff } }) => ({
    data: modules.map((key) => ({ key, enabled: !modulesOff.has(key), reason: modulesOff.get(key) ?? null })),
  }),

  update: async ({ params: { key }, body: { enabled } }, context) => {
    if (context.workspace.modulesOff.get(key) === 'plan')
      throw context.refuse('MODULE_DISABLED', { message: 'The plan does not include this module', key, reason: 'plan' })
    await changingWorkspace(context, async (tx) => {
      const reason = enabled ? null : ('self' as const)
      const { workspaceModules: table } = schema
      await tx
        .insert(table)
        .values({ workspaceId: context.workspace.id, key, enabled, reason })
        .onConflictDoUpdate({ target: [table.workspaceId, table.key], set: { enabled, reason } })
      await audit(tx, context, {
        action: 'module.switched',
        subjectType: 'MODULE',
        subjectId: key,
        summary: `Switched the module ${key} ${enabled ? 'on' : 'off'}`,
        changes: [{ field: 'enabled', from: !context.workspace.modulesOff.has(key), to: enabled }],
      })
    })
    return success({ key, enabled, reason: enabled ? null : ('self' as const) })
  },
})

export const implementedUsage = implement(usage, {
  get: async (_input, { db, workspace }) => {
    const { id, quotas: limits } = workspace
    const records = await Promise.all(
      quotas.map(async (quota) => ({
        quota: quota as string,
        used: await countUsed(db, id, quota),
        limit: limits.get(quota) ?? null,
      })),
    )
    return {
      data: [
        ...records,
        { quota: storageQuota, used: await countStored(db, id), limit: storageLimitOf(workspace) ?? null },
      ],
    }
  },
})
