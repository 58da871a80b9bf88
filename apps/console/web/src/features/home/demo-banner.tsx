import { Button, Text, TextInput } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { beside, settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { isRefusedWith } from '../../base/refusals.ts'
import { useSession } from '../../base/session.ts'
import { capitalized, inDigits, t, terms } from '../../base/texts.ts'
import { pluralOfKnown } from '../../records/kind-words.ts'
import { Facts } from '../../shell/facts.tsx'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { notify } from '../../shell/notices.tsx'
import { Panel } from '../../shell/page.tsx'

const demoQuery = queryOptions({
  queryKey: ['demo'],
  queryFn: async ({ signal }) => (await beside.settings.demo.get({ signal })).data,
  // While a removal runs, its progress is read again and again.
  refetchInterval: ({ state }) => (isRunning(state.data?.job?.state) ? 2_000 : false),
})

type Demo = Awaited<ReturnType<typeof settings.demo.get>>['data']

function isRunning(state: string | undefined): boolean {
  return state === 'QUEUED' || state === 'RUNNING'
}

/** The way out of the demo: says that the workspace holds demo data, and removes it. */
export function DemoBanner() {
  const { may } = useSession()
  const [isAsking, setAsking] = useState(false)
  const { data: demo } = useQuery({ ...demoQuery, enabled: may('MANAGE_WORKSPACE') })
  useRefreshAfter(demo)
  if (demo === undefined || !demo.isDemo || demo.total === demo.kept) return null
  return (
    <Panel
      title={t('Demo data')}
      note={t(
        isRunning(demo.job?.state) ? 'The demo data is being removed.' : 'These records are for trying things out.',
      )}
      actions={
        <Button size="xs" disabled={isRunning(demo.job?.state)} onClick={() => setAsking(true)}>
          {t('Start with your own data')}
        </Button>
      }
    >
      {isAsking && <RemovalDialog name={demo.name} kinds={demo.kinds} onClose={() => setAsking(false)} />}
    </Panel>
  )
}

/** Reads everything again once a removal has ended: what is removed for good leaves no change that pages hear of. */
function useRefreshAfter(demo: Demo | undefined): void {
  const client = useQueryClient()
  const seen = useRef<string | null>(undefined)
  const isKnown = demo !== undefined
  const ended = demo?.job && !isRunning(demo.job.state) ? demo.job.id : null
  useEffect(() => {
    if (!isKnown) return
    // A removal that was over when the page opened has nothing to refresh.
    if (seen.current !== undefined && ended !== null && ended !== seen.current) void client.invalidateQueries()
    seen.current = ended
  }, [client, isKnown, ended])
}

interface RemovalDialogProps {
  readonly name: string
  readonly kinds: readonly { readonly kind: string; readonly count: number }[]
  onClose(): void
}

function RemovalDialog({ name, kinds, onClose }: RemovalDialogProps) {
  const client = useQueryClient()
  const [typed, setTyped] = useState('')
  const removal = useMutation({
    mutationFn: (form: FormData) => settings.demo.remove({ body: { name: textIn(form, 'name') } }),
    onSuccess: async () => {
      notify(t('The demo data is being removed.'))
      onClose()
      await client.invalidateQueries({ queryKey: demoQuery.queryKey })
    },
  })
  const others = kinds
    .filter(({ kind }) => pluralOfKnown(kind) === undefined)
    .reduce((sum, { count }) => sum + count, 0)
  return (
    <FormDialog
      opened
      title={t('Start with your own data')}
      submit={t('Remove demo data')}
      cancel={t('Keep exploring')}
      isDestructive
      isBusy={removal.isPending}
      isIncomplete={typed.trim() !== name}
      error={removal.error}
      onSubmit={removal.mutate}
      onClose={onClose}
    >
      <Text size="sm">
        {t('The records of the demo are removed. Everything that people made themselves stays. This cannot be undone.')}
      </Text>
      <Facts
        facts={[
          ...kinds.flatMap(({ kind, count }) => {
            const name = pluralOfKnown(kind)
            return name === undefined ? [] : [[capitalized(name), inDigits(count)] as const]
          }),
          ...(others > 0 ? [[terms.codes.OTHER, inDigits(others)] as const] : []),
        ]}
      />
      <TextInput
        name="name"
        label={t('Workspace name')}
        description={t('Type “{name}” to confirm.', { name })}
        error={isRefusedWith(removal.error, 'VALIDATION_ERROR') && t('Not valid')}
        autoComplete="off"
        data-autofocus
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
