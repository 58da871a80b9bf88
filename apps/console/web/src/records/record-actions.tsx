import { Button, Menu } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { settings } from '../base/api.ts'
import { describeRefusal } from '../base/refusals.ts'
import { Icon } from '../shell/icons.tsx'
import { notify } from '../shell/notices.tsx'
import { callsOf } from './record-calls.ts'
import { capitalized, useKind } from './record-kinds.ts'
import { addressOf, collectionOf, type RecordPlace } from './record-place.ts'

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
  const remove = useRemoval(record, leave)
  const copyLink = () =>
    void navigator.clipboard
      .writeText(location.href)
      .then(() => notify('Link copied'))
      .catch(() => notify('The link could not be copied'))
  return (
    <>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default" rightSection={<Icon name="down" size={14} />}>
            More actions
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={copyLink}>Copy link</Menu.Item>
          <Menu.Item onClick={() => print()}>Print</Menu.Item>
          {kind?.may.delete && (
            <Menu.Item c="var(--mantine-color-error)" disabled={remove.isPending} onClick={() => remove.mutate()}>
              Delete
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {children}
    </>
  )
}

/** Deletes a record at once; its notice offers to restore it. */
function useRemoval({ entityType, entityId }: RecordPlace, leave: () => Promise<unknown>) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const noun = capitalized(useKind(entityType)?.noun ?? 'record')
  const collection = collectionOf(entityType)
  const refresh = () => client.invalidateQueries({ queryKey: [collection] })
  const fail = (error: unknown) => {
    const { title, text } = describeRefusal(error)
    notify(`${title}. ${text}`)
  }
  const undo = async () => {
    await settings.deletedRecords.restore({ params: { id: entityId }, body: { entityType } })
    await refresh()
    notify(`${noun} restored`)
    await navigate(addressOf({ entityType, entityId }))
  }
  return useMutation({
    mutationFn: () => callsOf(entityType).remove(entityId),
    onSuccess: async () => {
      await leave()
      client.removeQueries({ queryKey: [collection, 'one', entityId] })
      notify(`${noun} deleted`, { label: 'Undo', run: () => void undo().catch(fail) })
      await refresh()
    },
    onError: fail,
  })
}
