import { t } from '../base/texts.ts'

/** The actions for many records. */
export type BulkTask = 'owner' | 'stage' | 'tags' | 'untag' | 'field' | 'delete'

/** The names of the actions. */
export const bulkTaskNames: Readonly<Record<BulkTask, string>> = {
  owner: t('Change owner'),
  stage: t('Change stage'),
  tags: t('Add tags'),
  untag: t('Remove tags'),
  field: t('Edit field'),
  delete: t('Delete'),
}
