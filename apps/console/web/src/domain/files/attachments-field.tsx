import type { FileRecord } from '@crm/contract'
import { Button, FileButton, Group, MultiSelect, Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { describeSize } from '../../base/file-size.ts'
import { useSession } from '../../base/session.ts'
import { t } from '../../base/texts.ts'
import type { RecordPlace } from '../../records/record-place.ts'
import { Icon } from '../../shell/icons.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import { DropPlace } from './drop-place.tsx'
import { filesQuery } from './file-queries.ts'
import { useUpload } from './use-upload.ts'

const attachmentsMax = 10

interface AttachmentsProps {
  readonly record: RecordPlace
  /** The ids of the chosen files. */
  readonly value: readonly string[]
  readonly error?: ReactNode
  onChange(value: readonly string[]): void
  /** The rest of the form, onto which files can be dropped too. */
  readonly children: ReactNode
}

/** Chooses files of a record to go along with something, or adds new ones by choosing or dropping them. */
export function WithAttachments({ record, value, error, onChange, children }: AttachmentsProps) {
  const { may } = useSession()
  const [added, setAdded] = useState<readonly FileRecord[]>([])
  const attach = (file: FileRecord) => {
    setAdded((known) => [...known, file])
    onChange([...value, file.id])
  }
  const upload = useUpload(record, attach)
  const send = (files: readonly File[]) => {
    if (files.length > 0 && may('CREATE_FILE') && !upload.isPending) upload.mutate(files)
  }
  const { data } = useInfiniteQuery({ ...filesQuery(record), enabled: may('VIEW_FILE') || may('VIEW_DOCUMENT') })
  const files = new Map([...(data?.pages.flatMap(({ items }) => items) ?? []), ...added].map((file) => [file.id, file]))
  return (
    <DropPlace onDrop={send}>
      {children}
      <Stack gap="xs" mt="xs">
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <MultiSelect
            flex={1}
            miw={0}
            label={t('Attachments')}
            placeholder={value.length === 0 ? t('Files of this record') : undefined}
            data={[...files.values()].map(({ id, name, size }) => ({
              value: id,
              label: `${name} · ${describeSize(size)}`,
            }))}
            value={[...value]}
            maxValues={attachmentsMax}
            searchable
            nothingFoundMessage={t('Nothing found')}
            error={error}
            onChange={onChange}
          />
          {may('CREATE_FILE') && (
            <FileButton multiple onChange={send}>
              {(button) => (
                <Button
                  {...button}
                  variant="default"
                  leftSection={<Icon name="plus" size={14} />}
                  loading={upload.isPending}
                >
                  {t('Attach files')}
                </Button>
              )}
            </FileButton>
          )}
        </Group>
        <RefusalAlert error={upload.error} />
      </Stack>
    </DropPlace>
  )
}
