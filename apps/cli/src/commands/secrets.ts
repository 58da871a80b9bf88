import { renewKeptHeads } from '@crm/audit'
import { schema } from '@crm/db'
import { createSecrets, rotateSecrets, SecretUnreadableError, secretsStatus } from '@crm/secrets'
import type { Command } from 'commander'
import { audit } from '../base/audit.ts'
import { headsFolder } from './audit.ts'
import type { Connection } from '../base/connection.ts'
import { CommandError } from '../base/output.ts'
import type { Run } from '../base/run.ts'

/** `crm secrets …` */
export function addSecretsCommands(program: Command, run: Run): void {
  const secrets = program.command('secrets').description('Secrets of other systems that the database keeps')

  secrets
    .command('status')
    .description('Count them: not encrypted, encrypted by an earlier key, encrypted by the key of now')
    .action(run((_options, { db, keyWrapper }) => secretsStatus(db, keyWrapper)))

  secrets
    .command('rotate')
    .description('Encrypt all of them by new keys, while the services work')
    .option('--give-up-unreadable', 'go on where the key is lost; the secrets under it have to be entered again')
    .action(
      run(async ({ giveUpUnreadable = false }: { giveUpUnreadable?: boolean }, connection) => {
        try {
          return await rotate(connection, giveUpUnreadable)
        } catch (error) {
          throw error instanceof SecretUnreadableError ? new CommandError(`${error.message}.`) : error
        }
      }),
    )
}

async function rotate({ db, keyWrapper, signingKeys, config }: Connection, giveUpUnreadable: boolean) {
  if (keyWrapper.id === '') throw new CommandError('SECRETS_KEY is not set.')
  const outcome = await rotateSecrets(db, createSecrets(keyWrapper), keyWrapper, { giveUpUnreadable })
  // Exported audit logs and kept heads of before stay provable when the earlier key is gone.
  await renewKeptHeads(headsFolder(config), signingKeys)
  const withKeys = await db.selectDistinct({ id: schema.dataKeys.workspaceId }).from(schema.dataKeys)
  for (const { id } of withKeys)
    await audit(db, id, {
      action: 'secrets.rotated',
      subjectType: 'WORKSPACE',
      subjectId: id,
      summary: 'The stored secrets were encrypted by new keys',
    })
  return outcome
}
