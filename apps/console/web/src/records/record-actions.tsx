import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useSession } from '../base/session.ts'
import { later } from '../shell/later.tsx'
import { MoreActions } from '../shell/more-actions.tsx'
import { notify } from '../shell/notices.tsx'
import { EraseDialog } from './erase-dialog.tsx'
import { RecordForm } from './later-record-form.ts'
import { usePageCommand } from './page-commands.ts'
import { personIn, usePersonalDataExport } from './personal-data.ts'
import { duplicateOf } from './form-drafts.ts'
import { isMergeable } from './merge-plan.ts'
import { anyRecordQuery } from './record-calls.ts'
import { useKind } from './record-kinds.ts'
import type { RecordPlace } from './record-place.ts'
import { useForgetting, useRemoval } from './use-removal.ts'
import { t } from '../base/texts.ts'
import { copyText } from '../base/without-https.ts'

const MergeDialog = later(async () => (await import('./merge-dialog.tsx')).MergeDialog)

interface RecordActionsProps {
  readonly record: RecordPlace
  /** Further actions, such as the usual next one. */
  readonly children?: ReactNode
  /** Leaves the page of the deleted record. */
  leave(): Promise<unknown>
}

/** The actions on a record's page, as far as the person may perform them. */
export function RecordActions({ record, children, leave }: RecordActionsProps) {
  const kind = useKind(record.entityType)
  const { may } = useSession()
  const remove = useRemoval(record.entityType, leave)
  const [isErasing, setErasing] = useState(false)
  const [open, setOpen] = useState<'duplicate' | 'merge' | null>(null)
  const { data } = useQuery(anyRecordQuery(record.entityType, record.entityId))
  const subject = personIn(record)
  const exporting = usePersonalDataExport()
  const forget = useForgetting(record.entityType, leave)
  const copyLink = () =>
    void copyText(location.href).then((isCopied) =>
      notify(t(isCopied ? 'Link copied' : 'The link could not be copied')),
    )
  const duplicate = kind?.may.create && data && (() => setOpen('duplicate'))
  const merge =
    isMergeable(record.entityType) && kind?.may.update && kind.may.delete && data && (() => setOpen('merge'))
  const removeIt = kind?.may.delete && (() => remove.mutate(record.entityId))
  usePageCommand('duplicate', duplicate)
  usePageCommand('merge', merge)
  usePageCommand('copyLink', copyLink)
  usePageCommand('print', () => print())
  usePageCommand('remove', !remove.isPending && removeIt)
  return (
    <>
      <MoreActions>
        {duplicate && <Menu.Item onClick={duplicate}>{t('Duplicate')}</Menu.Item>}
        {merge && <Menu.Item onClick={merge}>{t('Merge')}</Menu.Item>}
        <Menu.Item onClick={copyLink}>{t('Copy link')}</Menu.Item>
        <Menu.Item onClick={() => print()}>{t('Print')}</Menu.Item>
        {subject !== null && may('EXPORT_DATA') && (
          <Menu.Item disabled={exporting.isPending} onClick={() => exporting.mutate(subject)}>
            {t('Export personal data')}
          </Menu.Item>
        )}
        {removeIt && (
          <Menu.Item c="var(--mantine-color-error)" disabled={remove.isPending} onClick={removeIt}>
            {t('Delete')}
          </Menu.Item>
        )}
        {subject !== null && kind?.may.delete && (
          <Menu.Item c="var(--mantine-color-error)" onClick={() => setErasing(true)}>
            {t('Erase personal data')}
          </Menu.Item>
        )}
      </MoreActions>
      {children}
      {kind && data && open === 'duplicate' && (
        <RecordForm
          entityType={record.entityType}
          initial={duplicateOf(kind, data)}
          opened
          onClose={() => setOpen(null)}
        />
      )}
      {kind && data && open === 'merge' && <MergeDialog kind={kind} record={data} onClose={() => setOpen(null)} />}
      {subject !== null && isErasing && (
        <EraseDialog
          subject={subject}
          onClose={() => setErasing(false)}
          onErased={() => void forget(record.entityId)}
        />
      )}
    </>
  )
}
