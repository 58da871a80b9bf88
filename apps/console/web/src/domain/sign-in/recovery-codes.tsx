import { Alert, Button, Group, Stack } from '@mantine/core'
import { CopyButton } from '../../shell/copy-button.tsx'
import classes from './add-totp.module.css'
import { t } from '../../base/texts.ts'

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  onStored(): void
}

/** Shows recovery codes the only time that they can be seen. */
export function RecoveryCodes({ codes, onStored }: RecoveryCodesProps) {
  return (
    <Stack gap="sm">
      <Alert color="yellow" title={t('signIn.storeTheseRecoveryCodesNow')}>
        {t('signIn.eachSignsYouInOnce')}
      </Alert>
      <ul className={classes.codes} aria-label={t('signIn.recoveryCodes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group>
        <CopyButton text={codes.join('\n')} label={t('signIn.copyTheCodes')} />
        <Button onClick={onStored}>{t('signIn.iSavedTheseCodes')}</Button>
      </Group>
    </Stack>
  )
}
