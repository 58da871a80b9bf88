import { Select } from '@mantine/core'
import { chooseLanguage, languages, storedLanguage } from '../../base/language.ts'
import { useSession } from '../../base/session.ts'
import { t } from '../../base/texts.ts'
import { Facts } from '../../shell/facts.tsx'
import { Page, Panel } from '../../shell/page.tsx'

const likeTheBrowser = ''

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
      <Panel title={t('settings.language')}>
        <Select
          aria-label={t('settings.language')}
          allowDeselect={false}
          value={storedLanguage() ?? likeTheBrowser}
          data={[
            { value: likeTheBrowser, label: t('settings.likeTheBrowser') },
            ...Object.entries(languages).map(([value, label]) => ({ value, label })),
          ]}
          onChange={(code) => chooseLanguage(code === null || code === likeTheBrowser ? null : code)}
        />
      </Panel>
    </Page>
  )
}
