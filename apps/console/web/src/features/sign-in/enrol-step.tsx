import { Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { settingsOnce } from '../../base/api.ts'
import { AddPasskey } from '../../domain/sign-in/add-passkey.tsx'
import { AddTotp } from '../../domain/sign-in/add-totp.tsx'
import { RecoveryCodes } from '../../domain/sign-in/recovery-codes.tsx'
import type { StepProps } from './second-step.tsx'
import { t } from '../../base/texts.ts'

/** Asks people who need a second factor, and have none yet, to add one. */
export function EnrolStep({ methods, onDone }: StepProps) {
  const [codes, setCodes] = useState<readonly string[]>()
  // The passkey is added by then, so a failure here does not keep anybody out: new codes can be made on the Security page.
  const makeCodes = useMutation({
    mutationFn: async () => (await settingsOnce.secondFactors.makeRecoveryCodes()).data.recoveryCodes,
    onSuccess: setCodes,
    onError: onDone,
  })
  if (codes !== undefined) return <RecoveryCodes codes={codes} onStored={onDone} />
  return (
    <Stack>
      <Text size="sm">{t('Your workspace asks for a second step when you sign in. Set one up to go on.')}</Text>
      {methods.includes('TOTP') && <AddTotp onAdded={setCodes} />}
      {methods.includes('PASSKEY') && <AddPasskey onAdded={() => makeCodes.mutate()} />}
    </Stack>
  )
}
