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
    <Page title={t('settings.directorySync')} note={t('settings.aDirectorySuchAsEntra')}>
      <Panel title={t('settings.connection')} note={t('settings.enterThisAddressAndA')}>
        <Stack gap="sm">
          <TextInput label={t('common.address')} value={address} readOnly />
          <Group>
            <CopyButton text={address} label={t('common.copyLink')} size="xs" />
          </Group>
        </Stack>
      </Panel>
      <DirectoryTokens />
      {may('MANAGE_ROLES') && <DirectoryGroups />}
    </Page>
  )
}
