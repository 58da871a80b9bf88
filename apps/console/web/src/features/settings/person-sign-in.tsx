import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { settings } from '../../base/api.ts'
import { useChange } from '../../shell/changes.ts'
import { RefusalAlert } from '../../shell/states.tsx'
import { t } from './texts.ts'

/** Helps somebody who cannot sign in, or who must no longer be signed in. */
export function PersonSignIn({ id, isSelf }: { readonly id: string; readonly isSelf: boolean }) {
  const sessions = useQuery({
    queryKey: ['people', 'sessions', id],
    queryFn: async ({ signal }) => (await settings.userSessions.list({ params: { id }, signal })).data,
  })
  const sendLink = useChange(() => settings.userSignIn.sendReset({ params: { id } }), {
    said: t('Link sent'),
    stale: [],
  })
  const reset = useChange(() => settings.userSignIn.resetSecondFactor({ params: { id } }), {
    said: t('Two-step verification reset'),
    stale: ['people'],
  })
  const end = useChange(() => settings.userSessions.deleteAll({ params: { id } }), {
    said: t('All sessions ended'),
    stale: ['people'],
  })
  const number = sessions.data?.length ?? 0
  return (
    <div role="group" aria-label={t('Sign-in')}>
      <Text size="sm" fw={500} mb="xs">
        {t('Sign-in')}
      </Text>
      <RefusalAlert error={sendLink.error ?? reset.error ?? end.error} />
      <Group gap="xs">
        <Button variant="default" size="xs" loading={sendLink.isPending} onClick={() => sendLink.mutate(undefined)}>
          {t('Send a link for a new password')}
        </Button>
        {!isSelf && (
          <Button variant="default" size="xs" loading={reset.isPending} onClick={() => reset.mutate(undefined)}>
            {t('Reset two-step verification')}
          </Button>
        )}
        {number > 0 && (
          <Button variant="default" size="xs" loading={end.isPending} onClick={() => end.mutate(undefined)}>
            {t('{count, plural, one {End 1 session} other {End # sessions}}', { count: number })}
          </Button>
        )}
      </Group>
    </div>
  )
}
