import { newId, schema } from '@crm/db'
import { apiKeyPrefix, digest, keyPrefix, newSecret } from '@crm/identity'
import type { Command } from 'commander'
import { and, eq, isNull } from 'drizzle-orm'
import { audit } from '../base/audit.ts'
import { permissionsOf, requireEmployee, requireWorkspace } from '../base/lookups.ts'
import type { Run } from '../base/run.ts'
import { CommandError } from '../base/output.ts'

interface CreateOptions {
  readonly workspace: string
  readonly owner: string
  readonly name: string
  readonly scopes: string
  readonly expires?: string
}

/** `crm key …` */
export function addKeyCommands(program: Command, run: Run): void {
  const key = program.command('key').description('API keys')

  key
    .command('create')
    .description('Create an API key; its text is printed once')
    .requiredOption('--workspace <slug>', 'the workspace')
    .requiredOption('--owner <email>', 'the person whose rights bound it')
    .requiredOption('--name <name>', 'what it is for')
    .requiredOption('--scopes <scopes>', 'comma-separated permission names, or ALL')
    .option('--expires <iso>', 'when it ends, ISO 8601')
    .action(
      run(async (options: CreateOptions, { db, forget }) => {
        const { id: workspaceId } = await requireWorkspace(db, options.workspace)
        const { id: ownerId } = await requireEmployee(db, workspaceId, options.owner)
        const text = newSecret(apiKeyPrefix)
        const id = newId()
        await db.insert(schema.apiKeys).values({
          workspaceId,
          id,
          ownerId,
          name: options.name,
          prefix: keyPrefix(text),
          keyHash: digest(text),
          scopes: parseScopes(options.scopes, await permissionsOf(db, workspaceId)),
          expiresAt: parseExpiry(options.expires),
        })
        await audit(db, workspaceId, {
          action: 'api-key.created',
          subjectType: 'API_KEY',
          subjectId: id,
          summary: `The API key ${options.name} of ${options.owner}`,
        })
        await forget(workspaceId)
        return { id, key: text }
      }),
    )

  key
    .command('revoke <id>')
    .description('Revoke an API key at once')
    .requiredOption('--workspace <slug>', 'the workspace')
    .action(
      run(async ({ workspace }: { workspace: string }, { db, forget }, id: string) => {
        const { id: workspaceId } = await requireWorkspace(db, workspace)
        if (!/^[0-9a-f-]{36}$/i.test(id)) throw new CommandError(`${id} is not the id of a key`)
        const { apiKeys } = schema
        const { rowCount } = await db
          .update(apiKeys)
          .set({ revokedAt: new Date().toISOString() })
          .where(and(eq(apiKeys.workspaceId, workspaceId), eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
        if (rowCount === 0) throw new CommandError(`There is no live key ${id} in this workspace`)
        await audit(db, workspaceId, {
          action: 'api-key.revoked',
          subjectType: 'API_KEY',
          subjectId: id,
          summary: 'An API key',
        })
        await forget(workspaceId)
        return { id, revoked: true }
      }),
    )
}

function parseScopes(list: string, known: readonly string[]): string[] {
  if (list === 'ALL') return [...known]
  const scopes = list
    .split(',')
    .map((scope) => scope.trim())
    .filter(Boolean)
  const unknown = scopes.filter((scope) => !known.includes(scope))
  if (unknown.length > 0) throw new CommandError(`Unknown scopes: ${unknown.join(', ')}`)
  return [...new Set(scopes)]
}

function parseExpiry(text: string | undefined): string | null {
  if (text === undefined) return null
  if (Number.isNaN(Date.parse(text))) throw new CommandError('--expires is not an ISO 8601 time')
  return new Date(text).toISOString()
}
