import { organization, success } from '@crm/contract'
import { schema, type Executor } from '@crm/db'
import { ApiError, invalidField } from '@crm/errors'
import { eq } from 'drizzle-orm'
import { implement, type CrmContext } from '../../../platform/context.ts'
import { audit, changingWorkspace } from '../../../records/audit.ts'
import { toE164 } from '../../../records/contact-points.ts'

const { organizations, workspaces } = schema

export const implementedOrganization = implement(organization, {
  get: async (_input, context) => success(await readOrganization(context.db, context)),

  update: async ({ body }, context) => {
    const { name, logo, primaryColor, phone, ...fields } = body
    const brand = given({ companyName: name, logo, primaryColor })
    const values = given({ ...fields, phone: phone ? phoneOf(phone) : phone })
    const { workspace, at: updatedAt } = context
    return changingWorkspace(context, async (tx) => {
      const stored = { ...values, updatedAt }
      await tx
        .insert(organizations)
        .values({ workspaceId: workspace.id, ...stored })
        .onConflictDoUpdate({ target: organizations.workspaceId, set: stored })
      if (Object.keys(brand).length > 0) {
        const [current] = await tx
          .select({ brand: workspaces.brand })
          .from(workspaces)
          .where(eq(workspaces.id, workspace.id))
          .for('update')
        await tx
          .update(workspaces)
          .set({ brand: { ...current?.brand, ...brand }, updatedAt })
          .where(eq(workspaces.id, workspace.id))
      }
      await audit(tx, context, {
        action: 'organization.changed',
        subjectType: 'WORKSPACE',
        subjectId: workspace.id,
        summary: 'Changed the company data',
        data: { fields: Object.keys(body) },
      })
      return success(await readOrganization(tx, context))
    })
  },
})

/** Reads the company data. The name, the logo and the colour are the brand of the workspace, which the booking pages show too. */
async function readOrganization(db: Executor, { workspace: { id } }: CrmContext) {
  const [workspace] = await db.select().from(workspaces).where(eq(workspaces.id, id))
  if (!workspace) throw new ApiError('NOT_FOUND')
  const [stored] = await db.select().from(organizations).where(eq(organizations.workspaceId, id))
  const { companyName, logo = null, primaryColor = null } = workspace.brand
  return {
    id,
    name: companyName ?? workspace.name,
    legalName: stored?.legalName ?? null,
    taxId: stored?.taxId ?? null,
    registrationNumber: stored?.registrationNumber ?? null,
    email: stored?.email ?? null,
    phone: stored?.phone ?? null,
    website: stored?.website ?? null,
    address: stored?.address ?? null,
    bankDetails: stored?.bankDetails ?? null,
    logo,
    primaryColor,
    createdAt: workspace.createdAt,
    updatedAt: stored?.updatedAt ?? workspace.updatedAt,
  }
}

function phoneOf(text: string): string {
  const phone = toE164(text)
  if (!phone) throw invalidField('phone', 'This is not a phone number that can be called')
  return phone
}

/** Returns the members that were sent. */
function given<T extends object>(members: T): Partial<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<T>
}
