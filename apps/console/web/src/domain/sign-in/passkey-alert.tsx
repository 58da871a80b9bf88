import { ClientError } from '@crm/client'
import { Text } from '@mantine/core'
import { RefusalAlert } from '../../shell/states.tsx'
import { t } from '../../base/texts.ts'

/** A passkey that did not work: declined by the person or the device, or refused by the API. */
export function PasskeyAlert({ error }: { readonly error: Error | null }) {
  if (error === null || error instanceof ClientError) return <RefusalAlert error={error} />
  return (
    <Text c="red" size="sm" role="alert">
      {t('No passkey was used. Try again, or choose another way.')}
    </Text>
  )
}
