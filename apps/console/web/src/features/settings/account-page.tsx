import { useSession } from '../../base/session.ts'
import { Facts } from '../../shell/facts.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { t } from '../../base/texts.ts'

/** The settings of a person's own account. */
export function AccountPage() {
  const { person } = useSession()
  return (
    <Page title={t('settings.profile')} narrow>
      <Panel title={t('settings.aboutYou')}>
        <Facts
          facts={[
            [t('common.name'), person.name],
            [t('common.email'), person.email],
            [t('common.timeZone'), person.timezone ?? person.workspace.timezone],
          ]}
        />
      </Panel>
    </Page>
  )
}
