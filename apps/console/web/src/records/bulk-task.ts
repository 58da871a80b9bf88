import { t } from '../base/texts.ts'

/** The actions for many records. */
export type BulkTask = 'owner' | 'stage' | 'tags' | 'untag' | 'field' | 'delete'

/** The names of the actions. */
export const bulkTaskNames: Readonly<Record<BulkTask, string>> = {
  owner: t('records.changeOwner'),
  stage: t('records.changeStage'),
  tags: t('records.addTags'),
  untag: t('records.removeTags'),
  field: t('records.editField'),
  delete: t('common.delete'),
}
