import { Button, Menu } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { settings } from '../base/api.ts'
import { useSession } from '../base/session.ts'
import { Icon } from '../shell/icons.tsx'
import { notify, notifyRefusal } from '../shell/notices.tsx'
import { EraseDialog } from './erase-dialog.tsx'
import { personIn, usePersonalDataExport } from './personal-data.ts'
import { callsOf } from './record-calls.ts'
import { useKind } from './record-kinds.ts'
import { addressOf, collectionOf, type RecordPlace } from './record-place.ts'
import { capitalized, named, t } from '../base/texts.ts'

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
  const remove = useRemoval(record, leave)
  const [isErasing, setErasing] = useState(false)
  const subject = personIn(record)
  const exporting = usePersonalDataExport()
  const forget = useForgetting(record, leave)
  const copyLink = () =>
    void navigator.clipboard
      .writeText(location.href)
      .then(() => notify(t('records.linkCopied')))
      .catch(() => notify(t('records.theLinkCouldNotBe')))
  return (
    <>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default" rightSection={<Icon name="down" size={14} />}>
            {t('common.moreActions')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={copyLink}>{t('records.copyLink')}</Menu.Item>
          <Menu.Item onClick={() => print()}>{t('records.print')}</Menu.Item>
          {subject !== null && may('EXPORT_DATA') && (
            <Menu.Item disabled={exporting.isPending} onClick={() => exporting.mutate(subject)}>
              {t('records.exportPersonalData')}
            </Menu.Item>
          )}
          {kind?.may.delete && (
            <Menu.Item c="var(--mantine-color-error)" disabled={remove.isPending} onClick={() => remove.mutate()}>
              {t('common.delete')}
            </Menu.Item>
          )}
          {subject !== null && kind?.may.delete && (
            <Menu.Item c="var(--mantine-color-error)" onClick={() => setErasing(true)}>
              {t('records.erasePersonalData2')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {children}
      {subject !== null && isErasing && (
        <EraseDialog subject={subject} onClose={() => setErasing(false)} onErased={() => void forget()} />
      )}
    </>
  )
}

/** Returns the function that leaves the page of a record that is gone, and shows the lists without it. */
function useForgetting({ entityType, entityId }: RecordPlace, leave: () => Promise<unknown>) {
  const client = useQueryClient()
  const collection = collectionOf(entityType)
  return async () => {
    await leave()
    client.removeQueries({ queryKey: [collection, 'one', entityId] })
    await client.invalidateQueries({ queryKey: [collection] })
  }
}

/** Deletes a record at once; its notice offers to restore it. */
function useRemoval({ entityType, entityId }: RecordPlace, leave: () => Promise<unknown>) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const noun = capitalized(useKind(entityType)?.noun ?? t('kinds.RECORD.one'))
  const collection = collectionOf(entityType)
  const refresh = () => client.invalidateQueries({ queryKey: [collection] })
  const forget = useForgetting({ entityType, entityId }, leave)
  const undo = async () => {
    await settings.deletedRecords.restore({ params: { id: entityId }, body: { entityType } })
    await refresh()
    notify(t('records.nounRestored', named(noun)))
    await navigate(addressOf({ entityType, entityId }))
  }
  return useMutation({
    mutationFn: () => callsOf(entityType).remove(entityId),
    onSuccess: async () => {
      await forget()
      notify(t('records.nounDeleted', named(noun)), {
        label: t('common.undo'),
        run: () => void undo().catch(notifyRefusal),
      })
    },
    onError: notifyRefusal,
  })
}
