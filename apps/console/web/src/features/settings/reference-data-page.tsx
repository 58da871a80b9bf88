import { allItems } from '../../base/all-items.ts'
import { crm } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { useSession } from '../../base/session.ts'
import { NameField } from '../../records/name-field.tsx'
import { ReferencePanel, type ReferenceKind } from '../../records/reference-panel.tsx'
import { Page } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { t } from './texts.ts'

type LeadSource = Awaited<ReturnType<typeof crm.leadSources.list>>['items'][number]
type Industry = Awaited<ReturnType<typeof crm.industries.list>>['items'][number]

const leadSources: ReferenceKind<LeadSource> = {
  title: t('Lead sources'),
  note: t('Where leads come from.'),
  noun: t('lead source'),
  key: ['lead-sources'],
  read: (signal) => allItems((page) => crm.leadSources.list({ query: { page, pageSize: 100 }, signal })),
  nameOf: ({ name }) => name,
  columns: [],
  markOf: ({ systemKey }) => systemKey && <Pill>{t('Used by the service')}</Pill>,
  Fields: NameField,
  save: (row, form) =>
    row
      ? crm.leadSources.update({ params: { id: row.id }, body: { name: textIn(form, 'name') } })
      : crm.leadSources.create({ body: { name: textIn(form, 'name') } }),
  remove: ({ id }) => crm.leadSources.delete({ params: { id } }),
  mayGo: ({ systemKey }) => systemKey === null,
}

const industries: ReferenceKind<Industry> = {
  title: t('Industries'),
  note: t('What companies do.'),
  noun: t('industry'),
  key: ['industries'],
  read: (signal) => allItems((page) => crm.industries.list({ query: { page, pageSize: 100 }, signal })),
  nameOf: ({ name }) => name,
  columns: [],
  Fields: NameField,
  save: (row, form) =>
    row
      ? crm.industries.update({ params: { id: row.id }, body: { name: textIn(form, 'name') } })
      : crm.industries.create({ body: { name: textIn(form, 'name') } }),
  remove: ({ id }) => crm.industries.delete({ params: { id } }),
}

/** The small lists that records choose from. */
export function ReferenceDataPage() {
  const { may } = useSession()
  const mayChange = may('MANAGE_REFERENCE_DATA')
  return (
    <Page title={t('Tags and lists')} note={t('What people choose from when they fill in a record.')} narrow>
      <ReferencePanel kind={leadSources} mayChange={mayChange} />
      <ReferencePanel kind={industries} mayChange={mayChange} />
    </Page>
  )
}
