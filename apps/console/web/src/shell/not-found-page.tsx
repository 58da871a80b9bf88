import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Page, Panel } from './page.tsx'
import { EmptyState } from './states.tsx'
import { t } from '../base/texts.ts'

/** The page for an unknown address. */
export function NotFoundPage() {
  return (
    <Page title={t('shell.pageNotFound')} narrow>
      <Panel>
        <EmptyState
          title={t('shell.pageNotFound')}
          action={<Anchor renderRoot={(props) => <Link to="/" {...props} />}>{t('shell.goToTheStart')}</Anchor>}
        >
          {t('shell.theLinkMayBeOld')}
        </EmptyState>
      </Panel>
    </Page>
  )
}
