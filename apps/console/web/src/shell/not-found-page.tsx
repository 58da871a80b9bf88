import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Page, Panel } from './page.tsx'
import { EmptyState } from './states.tsx'

/** The page for an unknown address. */
export function NotFoundPage() {
  return (
    <Page title="Page not found" narrow>
      <Panel>
        <EmptyState
          title="There is nothing at this address"
          action={<Anchor renderRoot={(props) => <Link to="/" {...props} />}>Go to the start</Anchor>}
        >
          The link may be old, or it was mistyped.
        </EmptyState>
      </Panel>
    </Page>
  )
}
