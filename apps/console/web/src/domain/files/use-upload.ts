import type { FileRecord } from '@crm/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'
import { t } from '../../base/texts.ts'
import { collectionOf, type RecordPlace } from '../../records/record-place.ts'
import { notify } from '../../shell/notices.tsx'

/** Returns a function that reads again the queries that show a record's files: their list, and the history that mentions them. */
export function useFileRefresh({ entityType, entityId }: RecordPlace): () => Promise<unknown> {
  const client = useQueryClient()
  const collection = collectionOf(entityType)
  return () =>
    Promise.all(
      [
        ['files', entityType, entityId],
        [collection, 'timeline', entityId],
      ].map((queryKey) => client.invalidateQueries({ queryKey })),
    )
}

/** Uploads files to a record one after the other; files before a refused one stay. `onAdded` is told of each. */
export function useUpload(record: RecordPlace, onAdded?: (file: FileRecord) => void) {
  const { entityType, entityId } = record
  const refresh = useFileRefresh(record)
  return useMutation({
    mutationFn: async (files: readonly File[]) => {
      for (const file of files) {
        const { data } = await crm.files.upload({ form: formOf(file, { links: [{ entityType, entityId }] }) })
        onAdded?.(data)
      }
      return files.length
    },
    onSuccess: (count) => notify(t('{count, plural, one {File added} other {# files added}}', { count })),
    onSettled: refresh,
  })
}

function formOf(file: File, metadata: object): FormData {
  const form = new FormData()
  form.append('metadata', JSON.stringify(metadata))
  form.append('file', file)
  return form
}
