import { useQuery } from '@tanstack/react-query'
import { crm } from '../base/api.ts'
import { useSession } from '../base/session.ts'
import { contactTitle, leadTitle } from './titles.ts'
import { t } from '../base/texts.ts'

const readers = {
  LEAD: async (id: string) => leadTitle((await crm.leads.get({ params: { id } })).data),
  CONTACT: async (id: string) => contactTitle((await crm.contacts.get({ params: { id } })).data),
  COMPANY: async (id: string) => (await crm.companies.get({ params: { id } })).data.name,
  DEAL: async (id: string) => (await crm.deals.get({ params: { id } })).data.name,
  PROJECT: async (id: string) => (await crm.projects.get({ params: { id } })).data.name,
} as const

/** Returns the name of a referenced record; null without one, and a text for a record that the person may not see. */
export function useRecordName(entityType: keyof typeof readers, id: string | null): string | null {
  const { may } = useSession()
  const { data, isError } = useQuery({
    queryKey: ['record-name', entityType, id],
    queryFn: () => readers[entityType](id ?? ''),
    enabled: id !== null && may(`VIEW_${entityType}`),
    staleTime: 60_000,
  })
  if (id === null) return null
  return data ?? (isError || !may(`VIEW_${entityType}`) ? t('records.aRecordThatYouMay') : '…')
}
