import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { describeDay } from '../../base/moments.ts'
import { AddPasskey } from '../../domain/sign-in/add-passkey.tsx'
import { AddTotp } from '../../domain/sign-in/add-totp.tsx'
import { factorsQuery } from '../../domain/sign-in/factors-query.ts'
import { RecoveryCodes } from '../../domain/sign-in/recovery-codes.tsx'
import { RowButton, RowTitle } from '../../records/record-table.tsx'
import { TablePanel } from '../../records/table-panel.tsx'
import { Age } from '../../shell/age.tsx'
import { useChange } from '../../shell/changes.ts'
import { notify } from '../../shell/notices.tsx'
import { Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'

/** The second steps of a person's sign-in: an authenticator app, recovery codes and passkeys. */
export function TwoStepPanel() {
  const factors = useQuery(factorsQuery)
  const client = useQueryClient()
  const [codes, setCodes] = useState<readonly string[]>()
  const reread = () => client.invalidateQueries({ queryKey: factorsQuery.queryKey })
  const remove = useChange(() => settings.secondFactors.removeTotp(), {
    said: 'Authenticator app removed',
    stale: ['factors'],
  })
  const renew = useChange(async () => setCodes((await settings.secondFactors.makeRecoveryCodes()).data.recoveryCodes), {
    said: 'New recovery codes made',
    stale: ['factors'],
  })
  const removePasskey = useChange((id: string) => settings.secondFactors.removePasskey({ params: { id } }), {
    said: 'Passkey removed',
    stale: ['factors'],
  })
  const { data } = factors
  return (
    <>
      <Panel title="Authenticator app" note="A code from your phone is asked for after the password.">
        <RefusalAlert error={factors.error} retry={() => void factors.refetch()} />
        {data === undefined && factors.error === null && (
          <LoadingLines lines={2} label="Loading two-step verification" />
        )}
        {codes !== undefined && <RecoveryCodes codes={codes} onStored={() => setCodes(undefined)} />}
        {codes === undefined && data?.totp === null && (
          <AddTotp
            onAdded={(recoveryCodes) => {
              setCodes(recoveryCodes)
              void reread()
            }}
          />
        )}
        {codes === undefined && data !== undefined && data.totp !== null && (
          <Stack gap="sm">
            <Text size="sm">
              On since {describeDay(data.totp.confirmedAt)}. {data.recoveryCodesLeft} recovery codes are left.
            </Text>
            <RefusalAlert error={remove.error ?? renew.error} />
            <Group gap="xs">
              <Button variant="default" size="xs" loading={renew.isPending} onClick={() => renew.mutate(undefined)}>
                New recovery codes
              </Button>
              <Button
                variant="default"
                size="xs"
                color="red"
                loading={remove.isPending}
                onClick={() => remove.mutate(undefined)}
              >
                Remove app
              </Button>
            </Group>
          </Stack>
        )}
      </Panel>
      <RefusalAlert error={removePasskey.error} />
      <TablePanel
        title="Passkeys"
        note="They sign you in with your fingerprint, face or security key, without a password."
        label="Passkeys"
        reading={{ ...factors, data: data?.passkeys, error: null }}
        empty={null}
        columns={[
          {
            label: 'Name',
            cell: ({ name, createdAt }) => <RowTitle note={`since ${describeDay(createdAt)}`}>{name}</RowTitle>,
          },
          { label: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <Age at={lastUsedAt} />) },
        ]}
        actions={({ id, name }) => (
          <RowButton
            verb="Remove"
            name={name}
            isDestructive
            isBusy={removePasskey.isPending && removePasskey.variables === id}
            onClick={() => removePasskey.mutate(id)}
          />
        )}
      />
      <Panel title="Add a passkey">
        <AddPasskey
          onAdded={() => {
            notify('Passkey added')
            void reread()
          }}
        />
      </Panel>
    </>
  )
}
