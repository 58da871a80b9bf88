import { schema, type Database } from '@crm/db'
import { createSecrets, secretsStatus, type KeyWrapper } from '@crm/secrets'
import { asc } from 'drizzle-orm'
import { fail, ok, warn, type Finding } from './finding.ts'

const area = 'secrets'

/** Checks that the given keys open the data keys of the workspaces, and that every stored secret is encrypted by the key of now. */
export async function lookAtSecrets(db: Database, wrapper: KeyWrapper): Promise<readonly Finding[]> {
  const dataKeys = await db.select().from(schema.dataKeys).orderBy(asc(schema.dataKeys.createdAt))
  if (wrapper.id === '')
    return dataKeys.length === 0
      ? [warn(area, 'There is no key for stored secrets.', 'Set SECRETS_KEY as the deployables have it.')]
      : [
          fail(
            area,
            'Secrets are stored, and this command has no key for them.',
            'Set SECRETS_KEY and keep a copy of it.',
          ),
        ]
  const { canOpen } = createSecrets(wrapper)
  const closed: typeof dataKeys = []
  for (const dataKey of dataKeys) if (!(await canOpen(dataKey))) closed.push(dataKey)
  if (closed.length > 0)
    return [
      fail(
        area,
        `SECRETS_KEY opens ${dataKeys.length - closed.length} of ${dataKeys.length} stored keys.`,
        'Give the key of before as SECRETS_KEY_PREVIOUS.',
      ),
    ]
  const { plain, previous } = await secretsStatus(db, wrapper)
  if (plain > 0)
    return [warn(area, `${plain} stored secrets are not encrypted.`, 'Let crm-api run, or run crm secrets rotate.')]
  return previous > 0
    ? [warn(area, `${previous} stored secrets are encrypted by a key of before.`, 'Run crm secrets rotate.')]
    : [ok(area, 'Every stored secret is encrypted by the key of now.')]
}
