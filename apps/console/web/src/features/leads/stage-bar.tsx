import type { LeadRecord } from '@crm/contract'
import { RecordStages } from '../../records/stage-bar.tsx'
import { t } from '../../base/texts.ts'

/** The stages of a lead's pipeline; a click moves the lead. */
export function LeadStageBar({ lead }: { readonly lead: LeadRecord }) {
  return (
    <RecordStages
      entityType="LEAD"
      record={lead}
      isFixed={lead.convertedAt !== null}
      // Converting does more than moving, so it has a button of its own.
      whyClosed={({ mappedStatus }) => (mappedStatus === 'CONVERTED' ? t('Convert a lead to move it here') : undefined)}
    />
  )
}
