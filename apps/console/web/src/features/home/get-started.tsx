import { Button, Group } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useSession } from '../../base/session.ts'
import { Icon } from '../../shell/icons.tsx'
import { Panel } from '../../shell/page.tsx'
import { firstSteps, stepsQuery } from './get-started-queries.ts'
import classes from './home.module.css'
import { t } from '../../base/texts.ts'

/** The first steps of a workspace, until they are done or put away; only for people who set up the workspace. */
export function GetStarted() {
  const { may, person } = useSession()
  const [isAway, setAway] = useLocalStorage({
    key: `crm:started:${person.id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const steps = firstSteps.filter(({ needs }) => may(needs))
  const isAsked = may('MANAGE_WORKSPACE') && !isAway
  const { data: done } = useQuery({ ...stepsQuery(steps), enabled: isAsked })
  if (!isAsked || done === undefined || done.every(Boolean)) return null
  const count = done.filter(Boolean).length
  return (
    <Panel
      title={t('Get started')}
      note={t('{count} of {length} done', { count, length: steps.length })}
      actions={
        <Group gap="xs">
          <Button variant="default" size="xs" renderRoot={(props) => <Link to="/welcome" {...props} />}>
            {t('Set up your workspace')}
          </Button>
          <Button variant="subtle" size="xs" onClick={() => setAway(true)}>
            {t('Dismiss')}
          </Button>
        </Group>
      }
    >
      <ol className={classes.steps}>
        {steps.map(({ label, to }, at) => (
          <li key={to} className={classes.step} data-done={done[at]}>
            <span className={classes.tick} role="img" aria-label={done[at] ? t('Done') : t('To do')}>
              {done[at] && <Icon name="check" size={14} />}
            </span>
            <Link to={to} search={{}}>
              {label}
            </Link>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
