import { ClientError } from '@crm/client'
import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { settings, settingsOnce } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { NewPasswordInput, passwordProblem } from '../../domain/sign-in/new-password.tsx'
import { describeInstant } from '../../base/moments.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { usePersonalDataExport } from '../../records/personal-data.ts'
import { RowButton, RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { useChange } from '../../shell/changes.ts'
import { Age } from '../../shell/age.tsx'
import { notify } from '../../shell/notices.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import { describeDevice } from './devices.ts'
import { LinkedAccountsPanel } from './linked-accounts-panel.tsx'
import { TwoStepPanel } from './two-step-panel.tsx'
import { t } from './texts.ts'

const sessionsQuery = queryOptions({
  queryKey: ['own-sessions'],
  queryFn: async ({ signal }) => (await settings.sessions.list({ signal })).data,
})

/** How a person signs in, and where they are signed in. */
export function SecurityPage() {
  return (
    <Page title={t('Security')} narrow>
      <Panel title={t('Change password')} note={t('This signs you out everywhere else.')}>
        <PasswordForm />
      </Panel>
      <TwoStepPanel />
      <LinkedAccountsPanel />
      <Sessions />
      <OwnData />
    </Page>
  )
}

function OwnData() {
  const { person } = useSession()
  const exporting = usePersonalDataExport()
  return (
    <Panel title={t('Your data')} note={t('A file with what the workspace keeps about you.')}>
      <Button
        variant="default"
        loading={exporting.isPending}
        onClick={() => exporting.mutate({ type: 'EMPLOYEE', id: person.id })}
      >
        {t('Export my data')}
      </Button>
    </Panel>
  )
}

function PasswordForm() {
  const [isMistyped, setMistyped] = useState(false)
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (body: { current: string; next: string; form: HTMLFormElement }) =>
      settingsOnce.sessions.password({ body: { current: body.current, next: body.next } }),
    meta: { handles401: true },
    onSuccess: ({ data }, { form }) => {
      form.reset()
      notify(
        data.endedSessions === 0
          ? t('Password changed')
          : t('Password changed; other sessions ended: {endedSessions}', { endedSessions: data.endedSessions }),
      )
      return client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const filled = new FormData(form)
    const next = textIn(filled, 'next')
    const isSame = next === textIn(filled, 'again')
    setMistyped(!isSame)
    if (isSame) change.mutate({ current: textIn(filled, 'current'), next, form })
  }
  const errors = fieldErrors(change.error)
  const isWrong = change.error instanceof ClientError && change.error.status === 401
  return (
    <form onSubmit={submit} aria-label={t('Change password')}>
      <Stack gap="sm" maw="24rem">
        <PasswordInput
          name="current"
          label={t('Current password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          error={isWrong ? t('The current password is wrong') : errors['current']}
        />
        <NewPasswordInput name="next" label={t('New password')} error={passwordProblem(change.error)} />
        <PasswordInput
          name="again"
          label={t('Repeat new password')}
          autoComplete="new-password"
          required
          withAsterisk={false}
          error={isMistyped && t('The passwords do not match.')}
        />
        {!isWrong && !isRefusedWith(change.error, 'VALIDATION_ERROR') && <RefusalAlert error={change.error} />}
        <Group>
          <Button type="submit" variant="default" loading={change.isPending}>
            {t('Change password')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

const methodNames = {
  PASSWORD: t('Password'),
  PASSKEY: t('Passkey'),
  SSO: t('Single sign-on'),
  INVITATION: t('Invitation'),
  RESET: t('New password'),
} as const

function Sessions() {
  const sessions = useQuery(sessionsQuery)
  const client = useQueryClient()
  const end = useMutation({
    mutationFn: (id: string) => settings.sessions.delete({ params: { id } }),
    onSuccess: () => {
      notify(t('Session ended'))
      return client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
  })
  const endOthers = useChange(() => settings.sessions.deleteOthers(), {
    said: t('Other sessions ended'),
    stale: ['own-sessions'],
  })
  return (
    <>
      <RefusalAlert error={end.error ?? endOthers.error} />
      <TablePanel
        title={t('Sessions')}
        note={t('Where you are signed in.')}
        add={
          (sessions.data?.length ?? 0) > 1 && (
            <Button
              variant="default"
              size="xs"
              loading={endOthers.isPending}
              onClick={() => endOthers.mutate(undefined)}
            >
              {t('End all others')}
            </Button>
          )
        }
        label={t('Sessions')}
        reading={sessions}
        empty={null}
        columns={[
          {
            label: t('Device'),
            cell: ({ userAgent, createdAt }) => (
              <RowTitle note={t('since {createdAt}', { createdAt: describeInstant(createdAt) })}>
                <span title={userAgent ?? undefined}>{describeDevice(userAgent)}</span>
              </RowTitle>
            ),
          },
          { label: t('Signed in with'), isExtra: true, cell: ({ method }) => methodNames[method] },
          { label: t('Address'), isExtra: true, cell: ({ address }) => address },
          { label: t('Last used'), cell: ({ lastUsedAt }) => <Age at={lastUsedAt} /> },
        ]}
        actions={({ id, userAgent, isCurrent }) =>
          isCurrent ? (
            <Pill tone="green">{t('This session')}</Pill>
          ) : (
            <RowButton
              verb={t('End')}
              name={t('the session on {userAgent}', { userAgent: describeDevice(userAgent) })}
              isBusy={end.isPending && end.variables === id}
              onClick={() => end.mutate(id)}
            />
          )
        }
      />
    </>
  )
}
