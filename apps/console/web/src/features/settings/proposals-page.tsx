import { Button, Textarea } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { inboxKey } from '../../base/unread.ts'
import { ChangeList } from '../../records/change-list.tsx'
import { useKinds } from '../../records/record-kinds.ts'
import { Age } from '../../shell/age.tsx'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { notify } from '../../shell/notices.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { EmptyState, LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import { byRecord, fieldsInWords, kindNames, nameOfChanged, type ProposalGroup } from './proposal-words.ts'
import classes from './proposals-page.module.css'
import { proposalsKey, waitingQuery, type Proposal } from './proposals-queries.ts'
import { t } from './texts.ts'

/** What the person's keys and clients would change. */
export function ProposalsPage() {
  const waiting = useInfiniteQuery(waitingQuery)
  const items = waiting.data?.pages.flatMap((page) => page.items)
  const [rejected, setRejected] = useState<Proposal | null>(null)
  return (
    <Page
      title={t('Proposals')}
      note={t('What your API keys and AI clients would change. Nothing happens until you approve it.')}
    >
      <RefusalAlert error={waiting.error} retry={() => void waiting.refetch()} />
      {items === undefined && waiting.error === null && <LoadingLines />}
      {items?.length === 0 && (
        <Panel>
          <EmptyState title={t('Nothing waits for you')}>
            {t('A key or client that proposes its changes shows them here.')}
          </EmptyState>
        </Panel>
      )}
      {byRecord(items ?? []).map((group) => (
        <Group key={group.key} group={group} onReject={setRejected} />
      ))}
      {waiting.hasNextPage && (
        <Button variant="default" loading={waiting.isFetchingNextPage} onClick={() => void waiting.fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
      {rejected && <RejectDialog proposal={rejected} onClose={() => setRejected(null)} />}
    </Page>
  )
}

interface GroupProps {
  readonly group: ProposalGroup
  onReject(proposal: Proposal): void
}

/** The proposals about one record. */
function Group({ group: { name, proposals }, onReject }: GroupProps) {
  const { approve, isBusy, error } = useApproval()
  const title = name ?? t('A change that shows nothing here')
  return (
    <Panel
      title={title}
      actions={
        proposals.length > 1 && (
          <Button
            size="xs"
            loading={isBusy}
            aria-label={t('Approve all of {name}', { name: title })}
            // In the order in which they were proposed.
            onClick={() => approve(proposals.map(({ id }) => id).toReversed())}
          >
            {t('Approve all of {name}', { name: title })}
          </Button>
        )
      }
    >
      <RefusalAlert error={error} />
      <ul className={classes.proposals}>
        {proposals.map((proposal) => (
          <li key={proposal.id} className={classes.proposal}>
            <Difference proposal={proposal} />
            <div className={classes.actions}>
              <Button
                size="xs"
                variant="default"
                loading={isBusy}
                aria-label={t('Approve {name}', { name: title })}
                onClick={() => approve([proposal.id])}
              >
                {t('Approve')}
              </Button>
              <Button
                size="xs"
                variant="subtle"
                color="red"
                aria-label={t('Reject {name}', { name: title })}
                onClick={() => onReject(proposal)}
              >
                {t('Reject')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** What a proposal would change, in words. */
function Difference({ proposal }: { readonly proposal: Proposal }) {
  const kinds = useKinds()
  const { changes, more = 0, via, employeeName, createdAt } = proposal
  return (
    <div className={classes.difference}>
      {changes.slice(0, shownMax).map((change) => (
        <div key={change.id}>
          <Pill tone={change.kind === 'DELETE' ? 'red' : 'neutral'}>{kindNames[change.kind]}</Pill>{' '}
          {nameOfChanged(change)}
          <ChangeList changes={fieldsInWords(change, kinds)} />
        </div>
      ))}
      {changes.length + more > shownMax && (
        <div>
          {t('{count, plural, one {and one more} other {and # more}}', { count: changes.length + more - shownMax })}
        </div>
      )}
      <div className={classes.by}>
        {t('Proposed by {way} for {person}', { way: via?.name ?? '', person: employeeName })} · <Age at={createdAt} />
      </div>
    </div>
  )
}

/** A change of many records shows the first ones. */
const shownMax = 10

/** Approves proposals, and says what became of them. */
function useApproval() {
  const client = useQueryClient()
  const approving = useMutation({
    mutationFn: (ids: readonly string[]) =>
      settings.settingsProposals.decide({ body: { ids: [...ids], decision: 'APPROVE' } }),
    onSuccess: ({ results }) => {
      const failed = results.find(({ code }) => code !== undefined)
      if (failed?.code === 'VERSION_CONFLICT') notify(t('Somebody changed it meanwhile. It goes on waiting.'))
      else notify(failed ? t('Approved, but it could not be done any more') : t('Approved'))
      return client.invalidateQueries()
    },
  })
  return { approve: approving.mutate, isBusy: approving.isPending, error: approving.error }
}

function RejectDialog({ proposal: { id }, onClose }: { readonly proposal: Proposal; onClose(): void }) {
  const client = useQueryClient()
  const rejecting = useMutation({
    mutationFn: (form: FormData) =>
      settings.settingsProposals.reject({ params: { id }, body: { comment: textIn(form, 'comment') || undefined } }),
    onSuccess: () => {
      notify(t('Rejected'))
      onClose()
      return Promise.all([
        client.invalidateQueries({ queryKey: proposalsKey }),
        client.invalidateQueries({ queryKey: [inboxKey] }),
      ])
    },
  })
  return (
    <FormDialog
      opened
      title={t('Reject this change?')}
      submit={t('Reject')}
      isDestructive
      isBusy={rejecting.isPending}
      error={rejecting.error}
      onSubmit={rejecting.mutate}
      onClose={onClose}
    >
      <Textarea
        name="comment"
        label={t('Reason')}
        description={t('The key or client reads it.')}
        maxLength={1_000}
        autosize
        minRows={2}
      />
    </FormDialog>
  )
}
