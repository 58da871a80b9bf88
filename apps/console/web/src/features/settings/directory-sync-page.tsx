import { Group, Stack, TextInput } from '@mantine/core'
import { useSession } from '../../base/session.ts'
import { CopyButton } from '../../shell/copy-button.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { DirectoryGroups } from './directory-groups.tsx'
import { DirectoryTokens } from './directory-tokens.tsx'
import { t } from './texts.ts'

/** The way in which a company's directory keeps the people of the workspace up to date. */
export function DirectorySyncPage() {
  const { may } = useSession()
  const address = `${location.origin}/api/scim/v2`
  return (
    <Page
      title={t('Directory sync')}
      note={t('A directory such as Entra ID or Okta adds people, keeps them up to date, and suspends those who leave.')}
    >
      <Panel title={t('Connection')} note={t('Enter this address and a token in the SCIM settings of the directory.')}>
        <Stack gap="sm">
          <TextInput label={t('Address')} value={address} readOnly />
          <Group>
            <CopyButton text={address} label={t('Copy link')} size="xs" />
          </Group>
        </Stack>
      </Panel>
      <DirectoryTokens />
      {may('MANAGE_ROLES') && <DirectoryGroups />}
    </Page>
  )
}
