import { brokenConstraint, schema } from '@crm/db'
import { textResolver } from '@crm/egress'
import { domainRecord } from '@crm/identity'
import type { Command } from 'commander'
import { and, eq, sql } from 'drizzle-orm'
import { audit } from '../base/audit.ts'
import { requireWorkspace } from '../base/lookups.ts'
import { CommandError } from '../base/output.ts'
import type { Run } from '../base/run.ts'

interface Options {
  readonly workspace: string
}

/** `crm sign-in …` and `crm domain …` */
export function addSignInCommands(program: Command, run: Run): void {
  program
    .command('sign-in')
    .description('Signing in')
    .command('sso-off')
    .description('Let people sign in with their passwords again, when the identity provider fails')
    .requiredOption('--workspace <slug>', 'the workspace')
    .action(
      run(async ({ workspace }: Options, { db, forget }) => {
        const { id: workspaceId } = await requireWorkspace(db, workspace)
        const { workspaces } = schema
        await db.transaction(async (tx) => {
          await tx
            .update(workspaces)
            .set({ signInPolicy: sql`${workspaces.signInPolicy} || '{"enforceSso": false}'::jsonb` })
            .where(eq(workspaces.id, workspaceId))
          await audit(tx, workspaceId, {
            action: 'sign-in-policy.changed',
            subjectType: 'WORKSPACE',
            subjectId: workspaceId,
            summary: 'The identity provider is no longer enforced',
          })
        })
        await forget(workspaceId)
        return { workspaceId, enforceSso: false }
      }),
    )

  program
    .command('domain')
    .description('Domains of mail addresses')
    .command('verify <domain>')
    .description('Look for the record of a domain in DNS, and note that it is proved')
    .requiredOption('--workspace <slug>', 'the workspace')
    .option(
      '--dns <servers>',
      'DNS servers to ask (address:port), separated by commas; those of the system unless told',
    )
    .action(
      run(async ({ workspace, dns = '' }: Options & { readonly dns?: string }, { db }, domain: string) => {
        const { id: workspaceId } = await requireWorkspace(db, workspace)
        const { domains } = schema
        const name = domain.trim().toLowerCase()
        const [row] = await db
          .select()
          .from(domains)
          .where(and(eq(domains.workspaceId, workspaceId), eq(domains.domain, name)))
        if (!row) throw new CommandError(`The workspace does not claim the domain ${name}`)
        const record = domainRecord(row)
        const texts = await textResolver(dns.split(',').filter((server) => server !== ''))(record.name)
        if (!texts.some((text) => text.trim() === record.value))
          throw new CommandError(`There is no TXT record ${record.name} with ${record.value} (DOMAIN_NOT_VERIFIED)`)
        await db
          .transaction(async (tx) => {
            await tx
              .update(domains)
              .set({ verifiedAt: row.verifiedAt ?? new Date().toISOString() })
              .where(and(eq(domains.workspaceId, workspaceId), eq(domains.id, row.id)))
            await audit(tx, workspaceId, {
              action: 'domain.changed',
              subjectType: 'DOMAIN',
              subjectId: row.id,
              summary: `Proved the domain ${name}`,
            })
          })
          .catch((error: unknown) => {
            if (brokenConstraint(error) !== 'domains_owner') throw error
            throw new CommandError(`Another workspace has the domain ${name}`)
          })
        return { workspaceId, domain: name, status: 'VERIFIED' }
      }),
    )
}
