import { entitiesWith, type StagedEntity, lead } from '@crm/model'
import { systemRoles } from '@crm/permissions'
import { newId } from './new-id.ts'
import * as schema from './schema/index.ts'
import type { LeadStatus } from './schema/crm.ts'
import type { Executor } from './transaction.ts'
import { usualHome } from './usual-home.ts'
import { usualCurrencies, usualSequence, usualTaxRates, usualUnits } from './usual-money.ts'

/** The data for a new workspace. */
export interface NewWorkspace {
  readonly slug: string
  readonly name: string
  readonly baseUrl: string
  readonly hosts: readonly string[]
  readonly timezone?: string
  readonly locale?: string
  readonly currency?: string
  /** The rules for signing in that differ from the usual ones. */
  readonly signInPolicy?: Readonly<Record<string, unknown>>
  readonly admin: {
    readonly email: string
    readonly passwordHash: string | null
    readonly firstName?: string
    readonly lastName?: string
  }
}

/** The ids of a new workspace's first rows. */
export interface ProvisionedWorkspace {
  readonly workspaceId: string
  readonly adminUserId: string
  readonly roleIds: Readonly<Record<string, string>>
  readonly leadPipelineId: string
  readonly dealPipelineId: string
}

interface StageSeed {
  readonly name: string
  readonly type?: 'OPEN' | 'WON' | 'LOST'
  readonly mappedStatus?: LeadStatus
  readonly probability?: number
  readonly color: string
}

const leadStages: readonly StageSeed[] = [
  { name: 'New', mappedStatus: 'NEW', color: '#4c6ef5' },
  { name: 'Contacted', mappedStatus: 'IN_PROGRESS', color: '#15aabf' },
  { name: 'Qualified', mappedStatus: 'QUALIFIED', color: '#40c057' },
  { name: 'Converted', type: 'WON', mappedStatus: 'CONVERTED', color: '#2b8a3e' },
  { name: 'Unqualified', type: 'LOST', mappedStatus: 'UNQUALIFIED', color: '#868e96' },
]

const industries = [
  'Agriculture',
  'Construction',
  'Education',
  'Energy',
  'Finance and insurance',
  'Health care',
  'Hospitality and travel',
  'Information technology',
  'Manufacturing',
  'Media',
  'Professional services',
  'Public sector',
  'Real estate',
  'Retail and wholesale',
  'Telecommunications',
  'Transport and logistics',
]

const dealStages: readonly StageSeed[] = [
  { name: 'Discovery', probability: 10, color: '#4c6ef5' },
  { name: 'Proposal', probability: 40, color: '#15aabf' },
  { name: 'Negotiation', probability: 70, color: '#fab005' },
  { name: 'Won', type: 'WON', probability: 100, color: '#2b8a3e' },
  { name: 'Lost', type: 'LOST', probability: 0, color: '#868e96' },
]

/**
 * Creates a workspace with its default roles, pipelines, lead sources, industries, currencies, units, tax rates, number sequences, home
 * and administrator.
 */
export async function provisionWorkspace(tx: Executor, input: NewWorkspace): Promise<ProvisionedWorkspace> {
  const workspaceId = newId()
  const { slug, name, baseUrl, timezone, locale, currency } = input
  await tx.insert(schema.workspaces).values({
    id: workspaceId,
    slug,
    name,
    baseUrl,
    timezone,
    locale,
    currency,
    brand: { companyName: name },
    signInPolicy: input.signInPolicy ?? {},
  })
  if (input.hosts.length > 0) {
    await tx
      .insert(schema.workspaceHosts)
      .values(input.hosts.map((host) => ({ host: host.toLowerCase(), workspaceId })))
  }
  const roleIds = await createSystemRoles(tx, workspaceId)
  const adminUserId = await createAdministrator(tx, workspaceId, input.admin, roleIds.Administrator)
  await tx
    .insert(schema.leadSources)
    .values([
      { workspaceId, name: 'Direct', systemKey: 'direct' as const },
      { workspaceId, name: 'Booking', systemKey: 'booking' as const },
      ...['Website', 'Referral', 'Advertising', 'Event'].map((source) => ({ workspaceId, name: source })),
    ])
  await tx.insert(schema.industries).values(industries.map((industry) => ({ workspaceId, name: industry })))
  await createMoney(tx, workspaceId, currency)
  await tx.insert(schema.dashboards).values({ ...usualHome, workspaceId })
  const leadPipelineId = await createPipeline(tx, workspaceId, lead.entity, 'Sales leads', true, leadStages)
  const dealPipelineId = await createPipeline(tx, workspaceId, 'DEAL', 'Sales', true, dealStages)
  return { workspaceId, adminUserId, roleIds, leadPipelineId, dealPipelineId }
}

/** Creates the currencies, units, tax rates and number sequences of documents; the workspace's own currency is always among them. */
async function createMoney(tx: Executor, workspaceId: string, currency?: string): Promise<void> {
  const isUsual = !currency || usualCurrencies.some(([code]) => code === currency)
  const currencies = isUsual ? usualCurrencies : [...usualCurrencies, [currency, currency] as const]
  await tx.insert(schema.currencies).values(currencies.map(([code, name]) => ({ workspaceId, code, name })))
  await tx.insert(schema.units).values(usualUnits.map(([name, symbol]) => ({ workspaceId, name, symbol })))
  await tx.insert(schema.taxRates).values(usualTaxRates.map(([name, rate]) => ({ workspaceId, name, rate })))
  const sequences = entitiesWith('numbered').map((entityType) => ({ workspaceId, ...usualSequence(entityType) }))
  await tx.insert(schema.numberSequences).values(sequences)
}

async function createSystemRoles(
  tx: Executor,
  workspaceId: string,
): Promise<Record<string, string> & { Administrator: string }> {
  const rows = systemRoles.map((role) => ({
    ...role,
    permissions: [...role.permissions],
    access: [...role.access],
    id: newId(),
    workspaceId,
    isSystem: true,
  }))
  await tx.insert(schema.roles).values(rows)
  return Object.fromEntries(rows.map((role) => [role.name, role.id])) as Record<string, string> & {
    Administrator: string
  }
}

async function createAdministrator(
  tx: Executor,
  workspaceId: string,
  admin: NewWorkspace['admin'],
  roleId: string,
): Promise<string> {
  const id = newId()
  await tx.insert(schema.employees).values({ workspaceId, id, ...admin })
  await tx.insert(schema.employeeRoles).values({ workspaceId, employeeId: id, roleId })
  return id
}

/** Creates a pipeline with the given stages and returns its id. */
export async function createPipeline(
  tx: Executor,
  workspaceId: string,
  entityType: StagedEntity,
  name: string,
  isDefault: boolean,
  stages: readonly StageSeed[],
): Promise<string> {
  const id = newId()
  await tx.insert(schema.pipelines).values({ workspaceId, id, name, entityType, isDefault })
  await tx
    .insert(schema.stages)
    .values(stages.map((stage, position) => ({ workspaceId, pipelineId: id, position, ...stage })))
  return id
}
