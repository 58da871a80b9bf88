import type { DocumentRecord } from '@crm/contract'
import { ActionIcon, Menu } from '@mantine/core'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'
import { collectionOf } from '../../records/record-place.ts'
import { useChange } from '../../shell/changes.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { Icon } from '../../shell/icons.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import { PdfPreview } from '../files/pdf-preview.tsx'
import { madeKey } from './document-queries.ts'
import { documentStatuses, documentSteps, type DocumentStatus } from './document-words.ts'
import classes from './documents.module.css'
import { inSentence, t } from '../../base/texts.ts'

interface DocumentProps {
  readonly document: DocumentRecord
}

/** The title of a document; a click shows its pages. */
export function DocumentTitle({ document: { title, fileId } }: DocumentProps) {
  const [isOpen, setOpen] = useState(false)
  if (fileId === null) return <span className={classes.title}>{title}</span>
  return (
    <>
      <button type="button" className={classes.title} onClick={() => setOpen(true)}>
        {title}
      </button>
      {isOpen && <PdfPreview address={`/api/files/${fileId}/content`} title={title} onClose={() => setOpen(false)} />}
    </>
  )
}

/** The actions of a document: set its outcome, save it, delete it. */
export function DocumentActions({ document: { id, title, status, fileId, entityType } }: DocumentProps) {
  const { may } = useSession()
  const [isLeaving, setLeaving] = useState(false)
  const stale = [madeKey, 'files', collectionOf(entityType)]
  const mark = useChange((to: DocumentStatus) => crm.documentRecords.update({ params: { id }, body: { status: to } }), {
    said: t('Saved'),
    stale,
  })
  const remove = useChange(() => crm.documentRecords.delete({ params: { id } }), {
    said: t('Document deleted'),
    stale,
  })
  const steps = may('UPDATE_DOCUMENT') ? documentSteps[status] : []
  if (steps.length === 0 && fileId === null && !may('DELETE_DOCUMENT')) return null
  return (
    <>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon aria-label={t('Actions for {title}', { title })} loading={mark.isPending}>
            <Icon name="dots" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {steps.map(([to, label]) => (
            <Menu.Item key={to} onClick={() => mark.mutate(to)}>
              {label}
            </Menu.Item>
          ))}
          {fileId !== null && (
            <Menu.Item component="a" href={`/api/files/${fileId}/content`} download={`${title}.pdf`}>
              {t('Download')}
            </Menu.Item>
          )}
          {may('DELETE_DOCUMENT') && (
            <Menu.Item c="var(--mantine-color-error)" onClick={() => setLeaving(true)}>
              {t('Delete')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <RefusalAlert error={mark.error} />
      <ConfirmDialog
        opened={isLeaving}
        title={t('Delete this document?')}
        confirm={t('Delete')}
        isDestructive
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate(undefined)}
        onClose={() => setLeaving(false)}
      >
        {t('{title} ({name}) is no longer a document of its record. Its PDF stays among the files there.', {
          title,
          name: inSentence(documentStatuses[status].name),
        })}
      </ConfirmDialog>
    </>
  )
}
