import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { Icon } from '../../shell/icons.tsx'
import { Page } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { rulesQuery, type Rule } from './automation-queries.ts'
import { describeEvent } from './automation-words.ts'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/automation/rules')

/** The automation rules of the workspace. */
export function RulesPage() {
  const { page = 1 } = route.useSearch()
  const turn = route.useNavigate()
  const navigate = useNavigate()
  const rules = useQuery(rulesQuery(page))
  return (
    <Page
      title={t('automation.automation')}
      note={t('automation.aRuleSendsARequest')}
      actions={
        <Button
          leftSection={<Icon name="plus" size={16} />}
          onClick={() => void navigate({ to: '/automation/rules/$id', params: { id: 'new' } })}
        >
          {t('automation.newRule')}
        </Button>
      }
    >
      <TablePanel
        label={t('automation.automation')}
        reading={rules}
        page={page}
        onPage={(next) => void turn({ search: next > 1 ? { page: next } : {} })}
        empty={<EmptyState title={t('automation.noRules')}>{t('automation.makeOneThatTellsAnother')}</EmptyState>}
        columns={[
          {
            label: t('common.name'),
            cell: ({ id, name }) => (
              <RowTitle>
                <Link to="/automation/rules/$id" params={{ id }}>
                  {name}
                </Link>
              </RowTitle>
            ),
          },
          { label: t('common.when'), isExtra: true, cell: ({ trigger }) => describeEvent(trigger.event) },
          { label: t('automation.failuresInARow'), isExtra: true, cell: ({ failuresInRow }) => failuresInRow },
          { label: t('common.status'), cell: (rule) => <RulePill rule={rule} /> },
        ]}
      />
    </Page>
  )
}

/** Whether a rule is on, off, or was paused after too many failures. */
export function RulePill({ rule: { isActive, pausedAt } }: { readonly rule: Pick<Rule, 'isActive' | 'pausedAt'> }) {
  if (isActive) return <Pill tone="green">{t('common.active')}</Pill>
  return pausedAt === null ? <Pill>{t('common.off')}</Pill> : <Pill tone="amber">{t('automation.paused')}</Pill>
}
