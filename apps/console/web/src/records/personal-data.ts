import { entitiesWith } from '@crm/model'
import { useMutation } from '@tanstack/react-query'
import { settings } from '../base/api.ts'
import { download } from '../base/download.ts'
import { finishedJob } from '../base/jobs.ts'
import { notify, notifyRefusal } from '../shell/notices.tsx'
import type { RecordPlace } from './record-place.ts'
import { t } from '../base/texts.ts'

/** A person whose data can be collected or erased. */
export type PersonSubject = NonNullable<Parameters<typeof settings.privacy.export>[0]>['body']['subject']

/** Returns the person that a record is about, if it is a contact or a lead. */
export function personIn({ entityType, entityId }: RecordPlace): PersonSubject | null {
  const type = entitiesWith('person').find((one) => one === entityType)
  return type === undefined ? null : { type, id: entityId }
}

/** Collects the data of a person, and saves the file when it is there. */
export function usePersonalDataExport() {
  return useMutation({
    mutationFn: async (subject: PersonSubject) => {
      const { jobId } = (await settings.privacy.export({ body: { subject } })).data
      notify(t('Collecting the data. The file is saved when it is ready.'))
      await finishedJob(jobId)
      await download(`/api/settings/privacy/exports/${jobId}/file`, 'personal-data.json')
    },
    onSuccess: () => notify(t('Personal data exported')),
    onError: notifyRefusal,
  })
}
