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
      <Alert color="yellow" title={t('Save these recovery codes now')}>
        {t('Each signs you in once when your device is not at hand. They are shown only this once.')}
      </Alert>
      <ul className={classes.codes} aria-label={t('Recovery codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group>
        <CopyButton text={codes.join('\n')} label={t('Copy the codes')} />
        <Button onClick={onStored}>{t('I saved these codes')}</Button>
      </Group>
    </Stack>
  )
}
