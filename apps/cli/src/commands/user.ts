import { inTransaction, keepWayIn, newId, noteStatusByHand, personAction, schema, isAddress, isFolded } from '@crm/db'
import { ApiError } from '@crm/errors'
import { hashPassword, usualSignInPolicy } from '@crm/identity'
import type { Command } from 'commander'
import { and, eq } from 'drizzle-orm'
import { audit } from '../base/audit.ts'
import { readEmail, readPassword } from '../base/inputs.ts'
import { requireEmployee, requireWorkspace } from '../base/lookups.ts'
import type { Run } from '../base/run.ts'
import { CommandError } from '../base/output.ts'

interface CreateOptions {
  readonly workspace: string
  readonly email: string
  readonly password: string
  readonly role: string
  readonly department?: string
  readonly name?: string
}

const lostWaysIn: Readonly<Record<string, string>> = {
  LAST_ADMINISTRATOR: 'One active administrator must stay in the workspace (LAST_ADMINISTRATOR)',
  BREAK_GLASS_REQUIRED:
    'While the identity provider is enforced, one administrator of the emergency access must stay (BREAK_GLASS_REQUIRED); crm sign-in sso-off ends that',
}
const statuses = ['ACTIVE', 'SUSPENDED', 'TERMINATED'] as const

/** `crm user …` */
export function addUserCommands(program: Command, run: Run): void {
  const user = program.command('user').description('People of a workspace')

  user
    .command('create')
    .description('Add a person with a role')
    .requiredOption('--workspace <slug>', 'the workspace')
    .requiredOption('--email <email>', 'sign-in')
    .requiredOption('--password <password>', 'at least 10 characters, hard to guess')
    .requiredOption('--role <role>', 'name of the role')
    .option('--department <name>', 'name of the department; made when it is not there')
    .option('--name <name>', 'first and last name')
    .action(
      run(async (options: CreateOptions, { db, forget, config }) => {
        const { id: workspaceId, signInPolicy } = await requireWorkspace(db, options.workspace)
        const email = readEmail(options.email)
        const [firstName = null, ...rest] = options.name?.split(' ') ?? []
        const lastName = rest.join(' ') || null
        const { passwordMinLength: minLength } = { ...usualSignInPolicy, ...signInPolicy }
        const rules = { minLength, breachedFile: config.BREACHED_PASSWORDS_FILE }
        const password = await readPassword(options.password, { email, firstName, lastName }, rules)
        const passwordHash = await hashPassword(password)
        const id = newId()
        await db.transaction(async (tx) => {
          const { employees, employeeRoles, roles } = schema
          const [role] = await tx
            .select()
            .from(roles)
            .where(and(eq(roles.workspaceId, workspaceId), isFolded(roles.name, options.role)))
          if (!role) throw new CommandError(`There is no role ${options.role}`)
          const same = await tx
            .select({ id: employees.id })
            .from(employees)
            .where(and(eq(employees.workspaceId, workspaceId), isAddress(employees.email, email)))
          if (same.length > 0) throw new CommandError(`The email address ${email} is taken`)
          const departmentId =
            options.department === undefined ? null : await departmentNamed(tx, workspaceId, options.department)
          await tx.insert(employees).values({ workspaceId, id, email, firstName, lastName, passwordHash, departmentId })
          await tx.insert(employeeRoles).values({ workspaceId, employeeId: id, roleId: role.id })
          await audit(tx, workspaceId, {
            action: 'user.created',
            subjectType: 'EMPLOYEE',
            subjectId: id,
            summary: `${email} as ${role.name}`,
          })
          await audit(tx, workspaceId, {
            action: 'password.typed',
            subjectType: 'EMPLOYEE',
            subjectId: id,
            summary: `Typed a new password for ${email}`,
          })
        })
        await forget(workspaceId)
        return { workspaceId, userId: id }
      }),
    )

  user
    .command('status <email> <status>')
    .description('Suspend, reactivate or terminate a person')
    .requiredOption('--workspace <slug>', 'the workspace')
    .action(
      run(async ({ workspace }: { workspace: string }, { db, forget }, email: string, status: string) => {
        const wanted = statuses.find((known) => known === status)
        if (!wanted) throw new CommandError(`The status is one of ${statuses.join(', ')}`)
        const { id: workspaceId } = await requireWorkspace(db, workspace)
        const { employees, sessions } = schema
        const { id } = await requireEmployee(db, workspaceId, email)
        await inTransaction(db, undefined, async (running) => {
          const tx = await keepWayIn(running, workspaceId)
          const { status: current } = await requireEmployee(tx, workspaceId, email)
          await tx
            .update(employees)
            .set({ status: wanted })
            .where(and(eq(employees.workspaceId, workspaceId), eq(employees.id, id)))
          if (wanted !== current) await noteStatusByHand(tx, workspaceId, id)
          // A person who is enabled again has to sign in anew.
          if (wanted === 'ACTIVE' && current !== 'ACTIVE')
            await tx.delete(sessions).where(and(eq(sessions.workspaceId, workspaceId), eq(sessions.employeeId, id)))
          const changes = [{ field: 'status', from: current, to: wanted }]
          await audit(tx, workspaceId, {
            action: personAction(current, wanted),
            subjectType: 'EMPLOYEE',
            subjectId: id,
            summary: email,
            changes,
          })
        }).catch((error: unknown) => {
          const reason = error instanceof ApiError ? lostWaysIn[error.code] : undefined
          throw reason ? new CommandError(reason) : error
        })
        await forget(workspaceId)
        return { workspaceId, userId: id, status: wanted }
      }),
    )
}

async function departmentNamed(
  tx: Parameters<typeof requireWorkspace>[0],
  workspaceId: string,
  name: string,
): Promise<string> {
  const { departments } = schema
  const [known] = await tx
    .select({ id: departments.id })
    .from(departments)
    .where(and(eq(departments.workspaceId, workspaceId), isFolded(departments.name, name)))
  if (known) return known.id
  const id = newId()
  await tx.insert(departments).values({ workspaceId, id, name })
  return id
}
