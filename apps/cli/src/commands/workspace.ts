import { provisionWorkspace, schema, type Executor } from '@crm/db'
import { hashPassword, usualSignInPolicy } from '@crm/identity'
import { modules, quotas, storageQuota, type Module, type Quota } from '@crm/permissions'
import type { Command } from 'commander'
import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import { audit } from '../base/audit.ts'
import type { CliConfig } from '../config.ts'
import type { Connection } from '../base/connection.ts'
import { readBaseUrl, readEmail, readHost, readPassword } from '../base/inputs.ts'
import type { Run } from '../base/run.ts'
import { requireWorkspace } from '../base/lookups.ts'
import { parseWorkspaceLimit, readWorkspaceLimits, setWorkspaceLimits } from '../base/workspace-limits.ts'
import { CommandError } from '../base/output.ts'

interface CreateOptions {
  readonly slug: string
  readonly name: string
  readonly adminEmail: string
  readonly adminPassword: string
  readonly host: readonly string[]
  readonly baseUrl?: string
}

const collect = (value: string, earlier: readonly string[]): string[] => [...earlier, value]

/** `crm workspace …` */
export function addWorkspaceCommands(program: Command, run: Run): void {
  const workspace = program.command('workspace').description('Workspaces of the installation')
  const commands = [addCreate, addList, addHost, addRetain, addQuota, addLimit, addModule, addMaintenance]
  for (const add of commands) add(workspace, run)
}

function addCreate(workspace: Command, run: Run): void {
  workspace
    .command('create')
    .description('Create a workspace with its default roles, pipelines and an administrator')
    .requiredOption('--slug <slug>', 'short name, unique in the installation')
    .requiredOption('--name <name>', 'name as people see it')
    .requiredOption('--admin-email <email>', 'sign-in of the administrator')
    .requiredOption('--admin-password <password>', 'at least 10 characters')
    .option('--host <host>', 'host name of the workspace; may be repeated', collect, [])
    .option('--base-url <url>', 'public address; made from BASE_URL and the first host when absent')
    .action(
      run((options: CreateOptions, { db, baseUrl, forgetHosts, config }) =>
        createWorkspace(options, { db, baseUrl, forgetHosts, config }),
      ),
    )
}

function addList(workspace: Command, run: Run): void {
  workspace
    .command('list')
    .description('List the workspaces')
    .action(
      run(async (_options, { db }) => {
        const { id, slug, name, baseUrl, inMaintenance } = schema.workspaces
        return db.select({ id, slug, name, baseUrl, inMaintenance }).from(schema.workspaces).orderBy(asc(slug))
      }),
    )
}

function addHost(workspace: Command, run: Run): void {
  workspace
    .command('host')
    .description('Host names')
    .command('add <slug> <host>')
    .description('Let a host name lead to a workspace')
    .action(
      run(async (_options, { db, forgetHosts }, slug: string, text: string) => {
        const { name: host } = readHost(text)
        const { id } = await requireWorkspace(db, slug)
        await requireFreeHosts(db, [host], id)
        await db.insert(schema.workspaceHosts).values({ workspaceId: id, host }).onConflictDoNothing()
        await audit(db, id, {
          action: 'workspace.changed',
          subjectType: 'WORKSPACE',
          subjectId: id,
          summary: `The host ${host} leads here`,
          changes: [{ field: 'host', from: null, to: host }],
        })
        await forgetHosts()
        return { workspaceId: id, host }
      }),
    )
}

function addRetain(workspace: Command, run: Run): void {
  workspace
    .command('retain <slug> [periods...]')
    .description(
      'Show for how many days history is kept, or shorten it, such as runs=30; none follows the installation, which keeps nothing longer than its own RETAIN settings say',
    )
    .action(
      run(async (_options, connection, slug: string, periods: string[] = []) => {
        const { id } = await requireWorkspace(connection.db, slug)
        const parsed = periods.map(parsePeriod)
        for (const period of parsed) refuseLonger(connection.config, period)
        if (parsed.length > 0) await setPeriods(connection.db, id, parsed)
        return { workspaceId: id, retention: await readPeriods(connection.db, id) }
      }),
    )
}

function addQuota(workspace: Command, run: Run): void {
  workspace
    .command('quota <slug> [limits...]')
    .description('Show plan limits, or set some, such as leads=5 or storage=10GB; none lifts one')
    .action(
      run(async (_options, connection, slug: string, limits: string[] = []) => {
        const parsed = limits.map(parseLimit)
        const { id } = await requireWorkspace(connection.db, slug)
        if (parsed.length > 0) await setLimits(connection, id, parsed)
        return { workspaceId: id, quotas: await readLimits(connection.db, id) }
      }),
    )
}

function addLimit(workspace: Command, run: Run): void {
  workspace
    .command('limit <slug> [limits...]')
    .description(
      'Show the rates and shares of a workspace, or set some, such as api.per-minute=1200; default resets one',
    )
    .action(
      run(async (_options, connection, slug: string, limits: string[] = []) => {
        const parsed = limits.map(parseWorkspaceLimit)
        const { id } = await requireWorkspace(connection.db, slug)
        if (parsed.length > 0) await setWorkspaceLimits(connection, id, parsed)
        return { workspaceId: id, limits: await readWorkspaceLimits(connection.db, id) }
      }),
    )
}

function addModule(workspace: Command, run: Run): void {
  workspace
    .command('module <slug> <module> <state>')
    .description('Switch a module on or off')
    .option('--reason <reason>', 'plan or self', 'plan')
    .action(
      run(async ({ reason }: { reason: string }, { db, forget }, slug: string, key: string, state: string) => {
        const { id } = await requireWorkspace(db, slug)
        if (!modules.includes(key as Module))
          throw new CommandError(`Unknown module ${key}; known: ${modules.join(', ')}`)
        const enabled = parseState(state)
        const { workspaceModules } = schema
        const [before] = await db
          .select({ enabled: workspaceModules.enabled })
          .from(workspaceModules)
          .where(and(eq(workspaceModules.workspaceId, id), eq(workspaceModules.key, key)))
        const row = { enabled, reason: enabled ? null : parseReason(reason) }
        await db
          .insert(workspaceModules)
          .values({ workspaceId: id, key, ...row })
          .onConflictDoUpdate({ target: [workspaceModules.workspaceId, workspaceModules.key], set: row })
        await audit(db, id, {
          action: 'module.switched',
          subjectType: 'MODULE',
          subjectId: key,
          summary: `Switched the module ${key} ${state}`,
          changes: [{ field: 'enabled', from: before?.enabled ?? true, to: enabled }],
        })
        await forget(id)
        return { workspaceId: id, module: key, ...row }
      }),
    )
}

function addMaintenance(workspace: Command, run: Run): void {
  workspace
    .command('maintenance <slug> <state>')
    .description('While on, the public API answers 503 SCHEMA_OUT_OF_DATE')
    .action(
      run(async (_options, { db, forget }, slug: string, state: string) => {
        const { id } = await requireWorkspace(db, slug)
        const [before] = await db
          .select({ inMaintenance: schema.workspaces.inMaintenance })
          .from(schema.workspaces)
          .where(eq(schema.workspaces.id, id))
        await db
          .update(schema.workspaces)
          .set({ inMaintenance: parseState(state) })
          .where(eq(schema.workspaces.id, id))
        const changes = [{ field: 'inMaintenance', from: before?.inMaintenance ?? false, to: parseState(state) }]
        await audit(db, id, {
          action: 'workspace.changed',
          subjectType: 'WORKSPACE',
          subjectId: id,
          summary: `Switched maintenance ${state}`,
          changes,
        })
        await forget(id)
        return { workspaceId: id, maintenance: parseState(state) }
      }),
    )
}

type CreateContext = Pick<Connection, 'db' | 'baseUrl' | 'forgetHosts' | 'config'>

async function createWorkspace(
  { slug, name, adminEmail, adminPassword, host, baseUrl: givenUrl }: CreateOptions,
  { db, baseUrl, forgetHosts, config }: CreateContext,
) {
  if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(slug)) throw new CommandError('A slug has small letters, digits and hyphens')
  const email = readEmail(adminEmail)
  const rules = { minLength: usualSignInPolicy.passwordMinLength, breachedFile: config.BREACHED_PASSWORDS_FILE }
  const password = await readPassword(adminPassword, { email }, rules)
  const hosts = host.map(readHost)
  const address = givenUrl === undefined ? addressFor(baseUrl, hosts[0]?.nameAndPort) : readBaseUrl(givenUrl)
  const taken = await db
    .select({ id: schema.workspaces.id })
    .from(schema.workspaces)
    .where(eq(schema.workspaces.slug, slug))
  if (taken.length > 0) throw new CommandError(`The slug ${slug} is taken`)
  const names = [...new Set(hosts.map(({ name: one }) => one))]
  await requireFreeHosts(db, names)
  const passwordHash = await hashPassword(password)
  const { workspaceId, adminUserId } = await db.transaction(async (tx) => {
    const made = await provisionWorkspace(tx, {
      slug,
      name,
      baseUrl: address,
      hosts: names,
      admin: { email, passwordHash },
    })
    await audit(tx, made.workspaceId, {
      action: 'workspace.created',
      subjectType: 'WORKSPACE',
      subjectId: made.workspaceId,
      summary: `The workspace ${name} with ${email} as its administrator`,
    })
    return made
  })
  await forgetHosts()
  return { workspaceId, adminUserId }
}

/** Refuses hosts that already belong to a workspace other than `own`. */
async function requireFreeHosts(db: Executor, hosts: readonly string[], own?: string): Promise<void> {
  const { workspaceHosts } = schema
  const [taken] = await db
    .select()
    .from(workspaceHosts)
    .where(
      and(
        inArray(workspaceHosts.host, [...hosts]),
        own === undefined ? undefined : ne(workspaceHosts.workspaceId, own),
      ),
    )
  if (taken) throw new CommandError(`The host ${taken.host} belongs to another workspace`)
}

/** Returns the address of a host with the scheme and port of BASE_URL; the host may bring a port of its own. */
function addressFor(baseUrl: string, host: string | undefined): string {
  if (host === undefined) return baseUrl
  const { protocol, port } = new URL(baseUrl)
  return `${protocol}//${host}${port === '' || /:\d+$/.test(host) ? '' : `:${port}`}`
}

/** A limit of the plan: a number of records, or megabytes of storage; null when there is no limit. */
interface Limit {
  readonly quota: Quota | typeof storageQuota
  readonly limit: number | null
}

/** The limits that a plan can have; the limit of the storage is in the unit that people write. */
async function readLimits(
  db: Executor,
  workspaceId: string,
): Promise<Readonly<Record<string, number | string | null>>> {
  const limitOf = await limitsOf(db, workspaceId)
  return Object.fromEntries([
    ...quotas.map((quota) => [quota, limitOf(quota)] as const),
    [storageQuota, sizeText(limitOf(storageQuota))],
  ])
}

async function setLimits(
  { db, forget }: Pick<Connection, 'db' | 'forget'>,
  workspaceId: string,
  limits: readonly Limit[],
): Promise<void> {
  const { workspaceQuotas } = schema
  await db.transaction(async (tx) => {
    const limitBefore = await limitsOf(tx, workspaceId)
    for (const { quota, limit } of limits) {
      if (limit === null)
        await tx
          .delete(workspaceQuotas)
          .where(and(eq(workspaceQuotas.workspaceId, workspaceId), eq(workspaceQuotas.quota, quota)))
      else
        await tx
          .insert(workspaceQuotas)
          .values({ workspaceId, quota, limit })
          .onConflictDoUpdate({ target: [workspaceQuotas.workspaceId, workspaceQuotas.quota], set: { limit } })
    }
    const changes = limits.map(({ quota, limit }) => ({ field: quota, from: limitBefore(quota), to: limit }))
    await audit(tx, workspaceId, {
      action: 'workspace.quota-changed',
      subjectType: 'WORKSPACE',
      subjectId: workspaceId,
      summary: 'Changed the limits of the plan',
      changes,
    })
  })
  await forget(workspaceId)
}

/** Reads the current limits of a workspace. */
async function limitsOf(db: Executor, workspaceId: string): Promise<(quota: Limit['quota']) => number | null> {
  const { workspaceQuotas } = schema
  const rows = await db
    .select({ quota: workspaceQuotas.quota, limit: workspaceQuotas.limit })
    .from(workspaceQuotas)
    .where(eq(workspaceQuotas.workspaceId, workspaceId))
  return (quota) => rows.find((row) => row.quota === quota)?.limit ?? null
}

const sizeUnits = { MB: 1, GB: 1024, TB: 1024 * 1024 } as const

function sizeText(megabytes: number | null): string | null {
  if (megabytes === null) return null
  const unit =
    (['TB', 'GB'] as const).find((name) => megabytes >= sizeUnits[name] && megabytes % sizeUnits[name] === 0) ?? 'MB'
  return `${megabytes / sizeUnits[unit]}${unit}`
}

function parseLimit(text: string): Limit {
  const [, name, value] = /^(\w+)=(\w+)$/.exec(text) ?? []
  if (name === storageQuota && value !== undefined) return { quota: storageQuota, limit: parseSize(value) }
  if (name === undefined || value === undefined || !/^(\d{1,9}|none)$/.test(value))
    throw new CommandError(`Expected a limit such as leads=5 or storage=10GB, not ${text}`)
  const quota = quotas.find((known) => known === name)
  if (!quota) throw new CommandError(`Unknown limit ${name}; known: ${[...quotas, storageQuota].join(', ')}`)
  return { quota, limit: value === 'none' ? null : Number(value) }
}

function parseSize(text: string): number | null {
  if (text === 'none') return null
  const [, digits, unit] = /^(\d{1,6})(MB|GB|TB)$/i.exec(text) ?? []
  const megabytes = Number(digits) * sizeUnits[(unit ?? '').toUpperCase() as keyof typeof sizeUnits]
  if (Number.isNaN(megabytes) || megabytes > 2 ** 31 - 1)
    throw new CommandError(`Expected a size such as 500MB, 10GB or 1TB, not ${text}`)
  return megabytes
}

function parseReason(reason: string): 'plan' | 'self' {
  if (reason !== 'plan' && reason !== 'self') throw new CommandError('The reason is plan or self')
  return reason
}

function parseState(state: string): boolean {
  if (state !== 'on' && state !== 'off') throw new CommandError('The state is on or off')
  return state === 'on'
}

/**
 * The kinds of history that a workspace may keep for less time, as the dispatcher and the CRM API name them
 * (apps/webhooks/src/dispatcher/prune.ts), with the setting of the installation and its measure in days.
 */
const periodSettings = {
  runs: { setting: 'RETAIN_RUNS_DAYS', days: 1 },
  deliveries: { setting: 'RETAIN_DELIVERIES_DAYS', days: 1 },
  refusedCalls: { setting: 'RETAIN_REFUSED_CALLS_DAYS', days: 1 },
  notifications: { setting: 'RETAIN_NOTIFICATIONS_DAYS', days: 1 },
  audit: { setting: 'RETAIN_AUDIT_DAYS', days: 1 },
  timeline: { setting: 'RETAIN_TIMELINE_DAYS', days: 1 },
  sessions: { setting: 'RETAIN_SESSIONS_DAYS', days: 1 },
  jobs: { setting: 'RETAIN_JOBS_DAYS', days: 1 },
  outbox: { setting: 'RETAIN_OUTBOX_HOURS', days: 1 / 24 },
  exports: { setting: 'RETAIN_EXPORTS_DAYS', days: 1 },
} as const

type PeriodName = keyof typeof periodSettings

const periodNames = Object.keys(periodSettings) as readonly PeriodName[]

interface Period {
  readonly name: PeriodName
  /** Days; null: as the installation keeps it. */
  readonly days: number | null
}

function parsePeriod(text: string): Period {
  const [, given, value] = /^(\w+)=(\d{1,5}|none)$/.exec(text) ?? []
  if (given === undefined || value === undefined || value === '0')
    throw new CommandError(`Expected days of at least 1 such as runs=30, or runs=none, not ${text}`)
  const name = periodNames.find((known) => known === given)
  if (!name) throw new CommandError(`Unknown history ${given}; known: ${periodNames.join(', ')}`)
  return { name, days: value === 'none' ? null : Number(value) }
}

/** Refuses a period that is longer than that of the installation, where this command knows it: it would have no effect. */
function refuseLonger(config: CliConfig, { name, days }: Period): void {
  const { setting, days: measure } = periodSettings[name]
  const kept = config[setting]
  if (days === null || kept === undefined || kept === 0 || days <= kept * measure) return
  throw new CommandError(`The installation keeps ${name} for less: ${setting} is ${kept}`)
}

async function readPeriods(db: Executor, workspaceId: string): Promise<Readonly<Record<PeriodName, number | null>>> {
  const { id, retention } = schema.workspaces
  const [row] = await db.select({ retention }).from(schema.workspaces).where(eq(id, workspaceId))
  const periodOf = (name: PeriodName): number | null => row?.retention[name] ?? null
  return Object.fromEntries(periodNames.map((name) => [name, periodOf(name)])) as Record<PeriodName, number | null>
}

async function setPeriods(db: Connection['db'], workspaceId: string, periods: readonly Period[]): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await readPeriods(tx, workspaceId)
    const after = { ...before, ...Object.fromEntries(periods.map(({ name, days }) => [name, days])) }
    const retention = Object.fromEntries(
      Object.entries(after).filter((period): period is [string, number] => period[1] !== null),
    )
    await tx.update(schema.workspaces).set({ retention }).where(eq(schema.workspaces.id, workspaceId))
    await audit(tx, workspaceId, {
      action: 'workspace.changed',
      subjectType: 'WORKSPACE',
      subjectId: workspaceId,
      summary: 'Changed for how long history is kept',
      changes: periods.map(({ name, days }) => ({ field: name, from: before[name], to: days })),
    })
  })
}
