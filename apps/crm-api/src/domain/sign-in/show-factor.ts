import type { ShownFactor } from '@crm/contract'
import type { Transaction } from '@crm/db'
import type { CrmContext } from '../../platform/context.ts'
import { usePasskey } from './passkeys.ts'
import type { Person } from './people.repository.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import { useTotp } from './totp.ts'

/** Checks the second factor that a person shows, and uses it up where it works once. */
export async function showFactor(
  tx: Transaction,
  context: CrmContext,
  purpose: 'SECOND_FACTOR' | 'REAUTHENTICATE',
  person: Person,
  { method, code = '', response }: ShownFactor,
): Promise<boolean> {
  if (method === 'TOTP') return useTotp(tx, context, person, code)
  if (method === 'RECOVERY_CODE') return useRecoveryCode(tx, context, person, code)
  return response !== undefined && (await usePasskey(tx, context, purpose, person, response)) !== null
}
