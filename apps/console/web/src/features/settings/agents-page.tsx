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
    <Page title={t('Agents')} note={t('What your API keys and AI clients did, and what they may do by themselves.')}>
      <TablePanel
        title={t('Keys and clients')}
        label={t('Keys and clients')}
        reading={agents}
        empty={
          <EmptyState title={t('No key or client yet')}>
            {t('API keys and AI clients that you connect are listed here.')}
          </EmptyState>
        }
        columns={[
          {
            label: t('Name'),
            cell: ({ name, isKey }) => <RowTitle note={isKey ? t('API key') : t('AI client')}>{name}</RowTitle>,
          },
          {
            label: t('Person'),
            isExtra: true,
            cell: ({ personName }) => <PersonName id={null} name={personName} />,
          },
          {
            label: t('Its changes'),
            cell: ({ writes, confirm }) =>
              confirm
                ? t('{mode}, after a question where they cannot be taken back', { mode: modeNames[writes] })
                : modeNames[writes],
          },
          {
            label: t('Last used'),
            isExtra: true,
            cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('Never') : <Age at={lastUsedAt} />),
          },
        ]}
        actions={(agent) => <RowButton verb={t('Limits')} name={agent.name} onClick={() => setLimited(agent)} />}
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
        title={t('Sessions')}
        note={t('Calls with less than half an hour between them, kept for 90 days.')}
        label={t('Sessions')}
        add={
          <NativeSelect
            size="xs"
            aria-label={t('Agent')}
            value={viaId ?? ''}
            data={[{ value: '', label: t('All agents') }, ...choices]}
            onChange={({ currentTarget: { value } }) => {
              setViaId(value === '' ? undefined : value)
              setPage(1)
            }}
          />
        }
        reading={reading}
        page={page}
        onPage={setPage}
        empty={
          <EmptyState title={t('No session yet')}>{t('The first call of a key or a client begins one.')}</EmptyState>
        }
        columns={[
          {
            label: t('Agent'),
            cell: ({ via, employeeName }) => (
              <RowTitle note={withPeople ? employeeName : undefined}>{via?.name ?? ''}</RowTitle>
            ),
          },
          { label: t('Began'), cell: ({ startedAt }) => <Age at={startedAt} /> },
          { label: t('Changes'), isNumber: true, cell: ({ writes }) => inDigits(writes) },
          {
            label: t('Records'),
            isNumber: true,
            isExtra: true,
            cell: ({ records }) => inDigits(records),
          },
          { label: t('Reads'), isNumber: true, isExtra: true, cell: ({ reads }) => inDigits(reads) },
          { label: t('Refusals'), isNumber: true, isExtra: true, cell: ({ refusals }) => inDigits(refusals) },
        ]}
        actions={(session) => (
          <RowButton verb={t('Look at')} name={session.via?.name ?? ''} onClick={() => setShown(session)} />
        )}
      />
      {shown && <SessionDialog session={shown} onClose={() => setShown(null)} />}
    </>
  )
}
