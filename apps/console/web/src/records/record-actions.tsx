import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useSession } from '../base/session.ts'
import { DeleteRecordDialog } from './delete-record-dialog.tsx'
import type { RecordPlace } from './record-place.ts'

interface RecordActionsProps {
  readonly record: RecordPlace
  /** What the record is called. */
  readonly title: string
  /** The dialog that changes the record. */
  edit(onClose: () => void): ReactNode
  remove(): Promise<unknown>
  /** Goes to where the record is not missed. */
  leave(): Promise<unknown>
}

/** What can be done with a record on its page, as far as the person may: change it, delete it. */
export function RecordActions({ record, title, edit, remove, leave }: RecordActionsProps) {
  const { may } = useSession()
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      {may(`DELETE_${record.entityType}`) && (
        <Button variant="subtle" color="red" onClick={() => setDialog('delete')}>
          Delete
        </Button>
      )}
      {may(`UPDATE_${record.entityType}`) && (
        <Button variant="default" onClick={() => setDialog('edit')}>
          Edit
        </Button>
      )}
      {dialog === 'edit' && edit(close)}
      <DeleteRecordDialog
        record={record}
        title={title}
        opened={dialog === 'delete'}
        remove={remove}
        leave={leave}
        onClose={close}
      />
    </>
  )
}
