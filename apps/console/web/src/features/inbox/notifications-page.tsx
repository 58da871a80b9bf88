import type { NotificationKind } from '@crm/contract'
import { Radio } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { settings } from '../../base/api.ts'
import { notify } from '../../shell/notices.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { wishesQuery } from './inbox-queries.ts'
import { kindWords } from './inbox-words.ts'
import classes from './inbox.module.css'
import { t } from '../../base/texts.ts'
import { inboxKey } from '../../base/unread.ts'

const ways = { app: t('App'), mail: t('Email'), digest: t('Digest'), off: t('Off') } as const
type Way = keyof typeof ways
const wayNames = Object.entries(ways) as [Way, string][]
const kinds = Object.entries(kindWords) as [NotificationKind, string][]

type Wishes = Readonly<Record<Exclude<Way, 'app'>, readonly NotificationKind[]>>

/** Returns the wishes after a kind got another way. */
function withWay(wishes: Wishes, kind: NotificationKind, way: Way) {
  const listOf = (name: Exclude<Way, 'app'>) => {
    const others = wishes[name].filter((one) => one !== kind)
    return name === way ? [...others, kind] : others
  }
  return { mail: listOf('mail'), digest: listOf('digest'), off: listOf('off') }
}

/** How each kind of notification comes to the person. */
export function NotificationsPage() {
  const { data, error, refetch } = useQuery(wishesQuery)
  return (
    <Page
      title={t('Notifications')}
      note={t(
        'App: in your inbox. Email: also by email at once. Digest: also in one email each morning at 8. Off: not at all.',
      )}
      narrow
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined && error === null && (
        <Panel>
          <LoadingLines lines={8} label={t('Loading your choices')} />
        </Panel>
      )}
      {data && <Choices wishes={data} />}
    </Page>
  )
}

function Choices({ wishes }: { readonly wishes: Wishes }) {
  const client = useQueryClient()
  const saving = useMutation({
    mutationFn: (body: ReturnType<typeof withWay>) => settings.notifications.setWishes({ body }),
    onSuccess: ({ data }) => {
      client.setQueryData(wishesQuery.queryKey, data)
      notify(t('Notifications saved'))
      return client.invalidateQueries({ queryKey: [inboxKey] })
    },
  })
  const wayOf = (kind: NotificationKind): Way =>
    (['mail', 'digest', 'off'] as const).find((name) => wishes[name].includes(kind)) ?? 'app'
  return (
    <>
      <RefusalAlert error={saving.error} />
      <Panel flush>
        <table className={classes.kinds} aria-label={t('Notifications')}>
          <thead>
            <tr>
              <th scope="col">{t('Tell me when')}</th>
              {wayNames.map(([way, label]) => (
                <th key={way} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {kinds.map(([kind, words]) => (
              <tr key={kind}>
                <th scope="row">{words}</th>
                {wayNames.map(([way, label]) => (
                  <td key={way}>
                    <Radio
                      name={kind}
                      aria-label={`${words}: ${label}`}
                      checked={wayOf(kind) === way}
                      disabled={saving.isPending}
                      onChange={() => saving.mutate(withWay(wishes, kind, way))}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
    </>
  )
}
