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
import { t } from './texts.ts'

/** The second steps of a person's sign-in: an authenticator app, recovery codes and passkeys. */
export function TwoStepPanel() {
  const factors = useQuery(factorsQuery)
  const client = useQueryClient()
  const [codes, setCodes] = useState<readonly string[]>()
  const reread = () => client.invalidateQueries({ queryKey: factorsQuery.queryKey })
  const remove = useChange(() => settings.secondFactors.removeTotp(), {
    said: t('Authenticator app removed'),
    stale: ['factors'],
  })
  const renew = useChange(async () => setCodes((await settings.secondFactors.makeRecoveryCodes()).data.recoveryCodes), {
    said: t('New recovery codes created'),
    stale: ['factors'],
  })
  const { data } = factors
  return (
    <>
      <Panel title={t('Authenticator app')} note={t('A code from your phone is asked for after the password.')}>
        <RefusalAlert error={factors.error} retry={() => void factors.refetch()} />
        {data === undefined && factors.error === null && (
          <LoadingLines lines={2} label={t('Loading two-step verification')} />
        )}
        {data?.totp === null && (
          <AddTotp
            onAdded={(recoveryCodes) => {
              setCodes(recoveryCodes)
              void reread()
            }}
          />
        )}
        {data !== undefined && data.totp !== null && (
          <Stack gap="sm">
            <Text size="sm">{t('On since {confirmedAt}.', { confirmedAt: describeDay(data.totp.confirmedAt) })}</Text>
            <RefusalAlert error={remove.error} />
            <Group gap="xs">
              <Button
                variant="default"
                size="xs"
                color="red"
                loading={remove.isPending}
                onClick={() => remove.mutate(undefined)}
              >
                {t('Remove app')}
              </Button>
            </Group>
          </Stack>
        )}
      </Panel>
      <Passkeys />
      {(codes !== undefined || data?.totp || (data?.passkeys.length ?? 0) > 0) && (
        <Panel title={t('Recovery codes')} note={t('Each signs you in once if you lose your phone or your device.')}>
          <RefusalAlert error={renew.error} />
          {codes === undefined ? (
            <Group gap="sm">
              <Text size="sm">
                {t('{n, plural, =0 {No codes left} one {# code left} other {# codes left}}', {
                  n: data?.recoveryCodesLeft ?? 0,
                })}
              </Text>
              <Button variant="default" size="xs" loading={renew.isPending} onClick={() => renew.mutate(undefined)}>
                {t('New recovery codes')}
              </Button>
            </Group>
          ) : (
            <RecoveryCodes codes={codes} onStored={() => setCodes(undefined)} />
          )}
        </Panel>
      )}
      <Panel title={t('Add a passkey')}>
        <AddPasskey
          onAdded={() => {
            notify(t('Passkey added'))
            // Whoever loses the only passkey needs another way in.
            if (data?.recoveryCodesLeft === 0) renew.mutate(undefined)
            else void reread()
          }}
        />
      </Panel>
    </>
  )
}

/** The passkeys of the person, which can be removed. */
function Passkeys() {
  const factors = useQuery(factorsQuery)
  const removePasskey = useChange((id: string) => settings.secondFactors.removePasskey({ params: { id } }), {
    said: t('Passkey removed'),
    stale: ['factors'],
  })
  return (
    <>
      <RefusalAlert error={removePasskey.error} />
      <TablePanel
        title={t('Passkeys')}
        note={t('They sign you in with your fingerprint, face or security key, without a password.')}
        label={t('Passkeys')}
        reading={{ ...factors, data: factors.data?.passkeys, error: null }}
        empty={null}
        columns={[
          {
            label: t('Name'),
            cell: ({ name, createdAt }) => (
              <RowTitle note={t('since {createdAt}', { createdAt: describeDay(createdAt) })}>{name}</RowTitle>
            ),
          },
          {
            label: t('Last used'),
            cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('Never') : <Age at={lastUsedAt} />),
          },
        ]}
        actions={({ id, name }) => (
          <RowButton
            verb={t('Remove')}
            name={name}
            isDestructive
            isBusy={removePasskey.isPending && removePasskey.variables === id}
            onClick={() => removePasskey.mutate(id)}
          />
        )}
      />
    </>
  )
}
