import { Alert, Button, Group, Stack } from '@mantine/core'
import { CopyButton } from '../../shell/copy-button.tsx'
import classes from './add-totp.module.css'

interface RecoveryCodesProps {
  readonly codes: readonly string[]
  onStored(): void
}

/** Shows recovery codes the only time that they can be seen. */
export function RecoveryCodes({ codes, onStored }: RecoveryCodesProps) {
  return (
    <Stack gap="sm">
      <Alert color="yellow" title="Store these recovery codes now">
        Each signs you in once when your device is not at hand. They are shown only this once.
      </Alert>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group>
        <CopyButton text={codes.join('\n')} label="Copy the codes" />
        <Button onClick={onStored}>I have stored them</Button>
      </Group>
    </Stack>
  )
}
