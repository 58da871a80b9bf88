import { getRouteApi } from '@tanstack/react-router'
import { WorkList } from '../../records/list/work-list.tsx'
import { t } from '../../base/texts.ts'

const route = getRouteApi('/console/companies')

const words = {
  title: t('common.companies'),
  kind: 'COMPANY',
  one: t('companies.company'),
  many: t('companies.companies'),
  searched: t('companies.nameDomainEmailOrPhone'),
  origin: t('companies.addYourFirstCompanyOr'),
}

/** The list of companies. */
export function CompaniesPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <WorkList
      entityType="COMPANY"
      words={words}
      address={search}
      onGo={(next, how) => void navigate({ search: next, ...how })}
    />
  )
}
