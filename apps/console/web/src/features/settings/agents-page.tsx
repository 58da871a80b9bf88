import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'
import { inDigits } from '../../base/texts.ts'
import { RowButton, RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { Age } from '../../shell/age.tsx'
import { Page } from '../../shell/page.tsx'
import { EmptyState } from '../../shell/states.tsx'
import { PersonName } from '../../shell/person-name.tsx'
import { agentsQuery, sessionsQuery, type Agent, type AgentSession } from './agents-queries.ts'
import { LimitsDialog, modeNames } from './limits-dialog.tsx'
import { SessionDialog } from './session-dialog.tsx'
import { t } from './texts.ts'

/** What the person's keys and clients did, session by session, and what they may do by themselves. */
export function AgentsPage() {
  const withKeys = useSession().may('MANAGE_API_KEYS')
  const agents = useQuery(agentsQuery(withKeys))
  const [limited, setLimited] = useState<Agent | null>(null)
  return (
    <Page title={t('settings.agents')} note={t('settings.agentsNote')}>
      <TablePanel
        title={t('settings.keysAndClients')}
        label={t('settings.keysAndClients')}
        reading={agents}
        empty={<EmptyState title={t('settings.noAgents')}>{t('settings.noAgentsNote')}</EmptyState>}
        columns={[
          {
            label: t('common.name'),
            cell: ({ name, isKey }) => (
              <RowTitle note={isKey ? t('settings.apiKey') : t('settings.aiClient')}>{name}</RowTitle>
            ),
          },
          {
            label: t('settings.person'),
            isExtra: true,
            cell: ({ personName }) => <PersonName id={null} name={personName} />,
          },
          {
            label: t('settings.itsChanges'),
            cell: ({ writes, confirm }) =>
              confirm ? t('settings.changesAfterQuestion', { mode: modeNames[writes] }) : modeNames[writes],
          },
          {
            label: t('settings.lastUsed'),
            isExtra: true,
            cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('settings.never') : <Age at={lastUsedAt} />),
          },
        ]}
        actions={(agent) => (
          <RowButton verb={t('settings.limits')} name={agent.name} onClick={() => setLimited(agent)} />
        )}
      />
      <Sessions agents={agents.data ?? []} withPeople={withKeys} />
      {limited && (
        <LimitsDialog held={limited} queryKey="agents" save={saveOf(limited)} onClose={() => setLimited(null)} />
      )}
    </Page>
  )
}

type SaveControl = Parameters<typeof LimitsDialog>[0]['save']

function saveOf({ id, isKey, employeeId }: Agent): SaveControl {
  return (body) =>
    isKey
      ? settings.apiKeys.update({ params: { id }, body })
      : settings.connections.update({ params: { clientId: id }, query: { employeeId }, body })
}

interface SessionsProps {
  readonly agents: readonly Agent[]
  readonly withPeople: boolean
}

function Sessions({ agents, withPeople }: SessionsProps) {
  const [page, setPage] = useState(1)
  const [viaId, setViaId] = useState<string | undefined>()
  const [shown, setShown] = useState<AgentSession | null>(null)
  const reading = useQuery(sessionsQuery(page, viaId))
  const choices = [...new Map(agents.map(({ id, name }) => [id, name]))].map(([value, label]) => ({ value, label }))
  return (
    <>
      <TablePanel
        title={t('settings.sessions')}
        note={t('settings.sessionsNote')}
        label={t('settings.sessions')}
        add={
          <NativeSelect
            size="xs"
            aria-label={t('settings.agent')}
            value={viaId ?? ''}
            data={[{ value: '', label: t('settings.allAgents') }, ...choices]}
            onChange={({ currentTarget: { value } }) => {
              setViaId(value === '' ? undefined : value)
              setPage(1)
            }}
          />
        }
        reading={reading}
        page={page}
        onPage={setPage}
        empty={<EmptyState title={t('settings.noSessions')}>{t('settings.noSessionsNote')}</EmptyState>}
        columns={[
          {
            label: t('settings.agent'),
            cell: ({ via, employeeName }) => (
              <RowTitle note={withPeople ? employeeName : undefined}>{via?.name ?? ''}</RowTitle>
            ),
          },
          { label: t('settings.began'), cell: ({ startedAt }) => <Age at={startedAt} /> },
          { label: t('settings.writesDone'), isNumber: true, cell: ({ writes }) => inDigits(writes) },
          {
            label: t('settings.recordsTouched'),
            isNumber: true,
            isExtra: true,
            cell: ({ records }) => inDigits(records),
          },
          { label: t('settings.readsDone'), isNumber: true, isExtra: true, cell: ({ reads }) => inDigits(reads) },
          { label: t('settings.refusals'), isNumber: true, isExtra: true, cell: ({ refusals }) => inDigits(refusals) },
        ]}
        actions={(session) => (
          <RowButton verb={t('settings.look')} name={session.via?.name ?? ''} onClick={() => setShown(session)} />
        )}
      />
      {shown && <SessionDialog session={shown} onClose={() => setShown(null)} />}
    </>
  )
}
