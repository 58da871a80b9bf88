import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { crm } from '../../base/api.ts'
import { sendWithProof } from '../../base/reauthentication.ts'
import { useSession } from '../../base/session.ts'
import { organizationQuery } from '../../domain/finance/finance-queries.ts'
import type { FinanceKind, FinanceRecord } from '../../domain/finance/finance-words.ts'
import { listOf } from '../../records/record-place.ts'
import { Icon } from '../../shell/icons.tsx'
import classes from './finance.module.css'
import { missingOn, type Missing } from './readiness.ts'
import { t } from '../../base/texts.ts'

interface BeforeSendingProps {
  readonly kind: FinanceKind
  readonly record: FinanceRecord
}

/** What a document lacks before it goes out, and the sheet as it would go. */
export function BeforeSending({ kind, record }: BeforeSendingProps) {
  const missing = useMissing(record)
  const pdf = `/api${listOf(kind)}/${record.id}/pdf`
  const { data: letters = [] } = useQuery({
    queryKey: ['missing-letters', pdf, record.updatedAt],
    queryFn: ({ signal }) => missingLettersOf(pdf, signal),
  })
  return (
    <>
      {(missing.length > 0 || letters.length > 0) && (
        <Alert color="yellow" icon={<Icon name="alert" />} title={t('finance.somethingIsMissing')}>
          <ul className={classes.missing}>
            {missing.map((what) => (
              <li key={what}>
                {t(`finance.missing.${what}`)}
                {isOwn(what) && (
                  <>
                    {' '}
                    <Link to="/settings/organization">{t('finance.openCompanyDetails')}</Link>
                  </>
                )}
              </li>
            ))}
            {letters.length > 0 && <li>{t('finance.lettersAreMissing', { letters: letters.join(' ') })}</li>}
          </ul>
        </Alert>
      )}
      <a href={pdf} target="_blank" rel="noreferrer" className={classes.showPdf}>
        {t('finance.showThePdf')}
      </a>
    </>
  )
}

/** Draws the sheet and returns the letters that no font of it has; none where it cannot be drawn now. */
async function missingLettersOf(pdf: string, signal: AbortSignal): Promise<readonly string[]> {
  const { headers, body } = await sendWithProof(pdf, { signal })
  await body?.cancel()
  const named = headers.get('x-missing-letters')
  return named === null ? [] : named.split(', ').map(decodeURIComponent)
}

function isOwn(what: Missing): boolean {
  return what === 'ownAddress' || what === 'taxNumber'
}

/** Returns what is missing, as far as the person may know it; nothing while it is being read. */
function useMissing(record: FinanceRecord): readonly Missing[] {
  const { may } = useSession()
  const { companyId } = record
  const { data: organization } = useQuery({
    ...organizationQuery,
    enabled: may('VIEW_REFERENCE_DATA') || may('MANAGE_WORKSPACE'),
  })
  const company = useQuery({
    queryKey: ['companies', 'one', companyId],
    queryFn: async ({ signal }) => (await crm.companies.get({ params: { id: companyId ?? '' }, signal })).data,
    enabled: companyId !== null && may('VIEW_COMPANY'),
  })
  if (organization === undefined || company.isLoading) return []
  return missingOn(record, organization, company.data?.billingAddress ?? null)
}
