import { Text } from '@mantine/core'
import { useEffect } from 'react'
import { t } from '../../base/texts.ts'
import { tellOfProof } from '../../domain/sign-in/provider-proof.ts'
import { SignInCard } from './sign-in-card.tsx'

/** Where a provider sends people back who confirmed there that it is them. The window closes where browsers allow it. */
export function ConfirmedPage() {
  useEffect(() => {
    tellOfProof()
    window.close()
  }, [])
  return (
    <SignInCard title={t('Confirmed')}>
      <Text size="sm">{t('You can close this window.')}</Text>
    </SignInCard>
  )
}
