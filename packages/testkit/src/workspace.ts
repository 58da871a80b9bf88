import { newId, provisionWorkspace, schema, type Database, type ProvisionedWorkspace } from '@crm/db'
import {
  apiKeyPrefix,
  digest,
  hashPassword,
  keyPrefix,
  newSecret,
  sessionCookie,
  usualSignInPolicy,
  type SignInPolicy,
} from '@crm/identity'
import { permissionNames, type AccessRule } from '@crm/permissions'

/** The password of every person in a test workspace. */
export const testPassword = 'correct horse battery'

let passwordHash: Promise<string> | undefined

/** A workspace for one test, with functions that add people and credentials. */
export interface TestWorkspace extends ProvisionedWorkspace {
  readonly slug: string
  readonly host: string
  readonly adminEmail: string
  /** Adds an employee with the named system roles, or with one role made of the given grant. */
  employee(options?: EmployeeOptions): Promise<{ readonly id: string; readonly email: string }>
  department(name: string, parentId?: string): Promise<string>
  /** Makes an API key; by default with every scope of its owner. */
  apiKey(options?: {
    readonly ownerId?: string
    readonly scopes?: readonly string[]
    readonly allowedCidrs?: readonly string[]
    readonly expiresAt?: string
  }): Promise<{ readonly id: string; readonly key: string }>
  /** Returns the value of a Cookie header for a session of the person, who signed in at that time; now unless told. */
  session(employeeId?: string, authenticatedAt?: Date): Promise<string>
}

interface EmployeeOptions {
  readonly roles?: readonly string[]
  readonly grant?: { readonly permissions: readonly string[]; readonly access?: readonly AccessRule[] }
  readonly departmentId?: string
  readonly status?: 'ACTIVE' | 'SUSPENDED' | 'TERMINATED'
  readonly email?: string
}

/** Makes a workspace with an administrator, through the owner's connection. */
export async function createTestWorkspace(
  db: Database,
  options: {
    readonly baseUrl?: string
    readonly timezone?: string
    /** By default administrators may type passwords for others, so that tests need no mail. */
    readonly signInPolicy?: Partial<SignInPolicy>
  } = {},
): Promise<TestWorkspace> {
  passwordHash ??= hashPassword(testPassword)
  const slug = `w${newId().slice(-12)}`
  const host = `${slug}.test`
  const adminEmail = `admin@${host}`
  const provisioned = await provisionWorkspace(db, {
    slug,
    name: `Workspace ${slug}`,
    baseUrl: options.baseUrl ?? `http://${host}`,
    hosts: [host],
    timezone: options.timezone,
    signInPolicy: options.signInPolicy ?? { typedPasswords: true },
    admin: { email: adminEmail, passwordHash: await passwordHash, firstName: 'Ada', lastName: 'Admin' },
  })
  return { ...provisioned, slug, host, adminEmail, ...membersOf(db, provisioned, host) }
}

function membersOf(
  db: Database,
  { workspaceId, adminUserId, roleIds }: ProvisionedWorkspace,
  host: string,
): Pick<TestWorkspace, 'employee' | 'department' | 'apiKey' | 'session'> {
  return {
    employee: async ({ roles = ['Member'], grant, departmentId, status, email = `${newId()}@${host}` } = {}) => {
      const id = newId()
      await db.insert(schema.employees).values({
        workspaceId,
        id,
        email,
        firstName: 'Pat',
        lastName: id.slice(-4),
        passwordHash: (await passwordHash) as string,
        departmentId,
        status,
      })
      const granted = grant ? [await createRole(db, workspaceId, grant)] : roles.map((name) => roleIds[name] as string)
      await db.insert(schema.employeeRoles).values(granted.map((roleId) => ({ workspaceId, employeeId: id, roleId })))
      return { id, email }
    },
    department: async (name, parentId) => {
      const id = newId()
      await db.insert(schema.departments).values({ workspaceId, id, name, parentId })
      return id
    },
    apiKey: async ({ ownerId = adminUserId, scopes = permissionNames, expiresAt, allowedCidrs = [] } = {}) => {
      const id = newId()
      const key = newSecret(apiKeyPrefix)
      await db.insert(schema.apiKeys).values({
        workspaceId,
        id,
        name: 'Test',
        prefix: keyPrefix(key),
        keyHash: digest(key),
        scopes: [...scopes],
        ownerId,
        expiresAt,
        allowedCidrs: [...allowedCidrs],
      })
      return { id, key }
    },
    session: async (employeeId = adminUserId, authenticatedAt) => {
      const token = newSecret()
      const expiresAt = new Date(Date.now() + usualSignInPolicy.sessionIdleHours * 3_600_000).toISOString()
      await db.insert(schema.sessions).values({
        workspaceId,
        employeeId,
        tokenHash: digest(token),
        expiresAt,
        authenticatedAt: authenticatedAt?.toISOString(),
      })
      return `${sessionCookie}=${token}`
    },
  }
}

async function createRole(
  db: Database,
  workspaceId: string,
  grant: NonNullable<EmployeeOptions['grant']>,
): Promise<string> {
  const id = newId()
  await db.insert(schema.roles).values({
    workspaceId,
    id,
    name: `Role ${id}`,
    permissions: [...grant.permissions],
    access: [...(grant.access ?? [])],
  })
  return id
}
