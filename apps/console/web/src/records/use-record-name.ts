import { useQuery } from '@tanstack/react-query'
import { useSession } from '../base/session.ts'
import { anyRecordQuery, titleOfKnown } from './record-calls.ts'
import { t } from '../base/texts.ts'

/** Returns the name of a referenced record; null without one, and a text for a record that the person may not see. */
export function useRecordName(entityType: string, id: string | null): string | null {
  const { may } = useSession()
  const isSeen = may(`VIEW_${entityType}`)
  const { data, isError } = useQuery({ ...anyRecordQuery(entityType, id ?? ''), enabled: id !== null && isSeen })
  if (id === null) return null
  if (data !== undefined) return titleOfKnown(entityType, data)
  return isError || !isSeen ? t('A record that you may not see') : '…'
}
