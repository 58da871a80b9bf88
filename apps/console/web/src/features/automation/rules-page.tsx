import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pager } from '../../shell/pager.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import tables from '../../shell/table.module.css'
import { rulesQuery, type Rule } from './automation-queries.ts'
import { describeEvent } from './automation-words.ts'

const route = getRouteApi('/console/automation/rules')

/** The automation rules of the workspace. */
export function RulesPage() {
  const { page = 1 } = route.useSearch()
  const turn = route.useNavigate()
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(rulesQuery(page))
  return (
    <Page
      title="Automation rules" note="A rule sends a request when something happens."
      actions={<Button leftSection={<Icon name="plus" size={16} />} onClick={() => void navigate({ to: '/automation/rules/$id', params: { id: 'new' } })}>New rule</Button>}
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {error === null && (
        <Panel flush>
          {data === undefined && <div className={tables.loading}><LoadingLines label="Loading the rules" /></div>}
          {data?.total === 0 && <EmptyState title="No rules">Make one that tells another system of every deal that was won, for example.</EmptyState>}
          {data !== undefined && data.total > 0 && (
            <table className={tables.table} aria-label="Automation rules">
              <thead><tr><th scope="col">Name</th><th scope="col" data-extra>When</th><th scope="col" data-extra>Failures in a row</th><th scope="col">State</th></tr></thead>
              <tbody>
                {data.items.map((rule) => (
                  <tr key={rule.id}>
                    <td><Link to="/automation/rules/$id" params={{ id: rule.id }} className={tables.title}>{rule.name}</Link></td>
                    <td data-extra>{describeEvent(rule.trigger.event)}</td>
                    <td data-extra>{rule.failuresInRow}</td>
                    <td><RulePill rule={rule} /></td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </Panel>
      )}
      {data !== undefined && data.pageCount > 1 && <Pager page={page} pageSize={data.pageSize} total={data.total} onPage={(next) => void turn({ search: next > 1 ? { page: next } : {} })} />}
    </Page>
  )
}

/** Whether a rule is on, off, or was paused after too many failures. */
export function RulePill({ rule: { isActive, pausedAt } }: { readonly rule: Pick<Rule, 'isActive' | 'pausedAt'> }) {
  if (isActive) return <Pill tone="green">Active</Pill>
  return pausedAt === null ? <Pill>Off</Pill> : <Pill tone="amber">Paused</Pill>
}
