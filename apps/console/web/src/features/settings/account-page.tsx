import { useSession } from '../../base/session.ts'
import { Facts } from '../../shell/facts.tsx'
import { Page, Panel } from '../../shell/page.tsx'

/** The settings of a person's own account. */
export function AccountPage() {
  const { person } = useSession()
  return (
    <Page title="Profile" narrow>
      <Panel title="About you">
        <Facts
          facts={[
            ['Name', person.name],
            ['Email', person.email],
            ['Time zone', person.timezone ?? person.workspace.timezone],
          ]}
        />
      </Panel>
    </Page>
  )
}
