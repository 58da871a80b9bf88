import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Page, Panel } from './page.tsx'
import { EmptyState } from './states.tsx'
import { t } from '../base/texts.ts'

/** The page for an unknown address. */
export function NotFoundPage() {
  return (
    <Page title={t('Page not found')} narrow>
      <Panel>
        <EmptyState
          title={t('Page not found')}
          action={<Anchor renderRoot={(props) => <Link to="/" {...props} />}>{t('Go to Home')}</Anchor>}
        >
          {t('The link may be old, or it was mistyped.')}
        </EmptyState>
      </Panel>
    </Page>
  )
}
