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
import { t } from './texts.ts'

interface BeforeSendingProps {
  readonly kind: FinanceKind
  readonly record: FinanceRecord
}

const missingWords: Readonly<Record<Missing, string>> = {
  lines: t('It has no lines.'),
  ownAddress: t('Your own address is empty.'),
  taxNumber: t('Your tax number is empty.'),
  customerAddress: t('The customer’s address is empty.'),
  dueDate: t('It says no day by which to pay.'),
  validUntil: t('It says no day until which it is valid.'),
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
        <Alert color="yellow" icon={<Icon name="alert" />} title={t('Before it goes out')}>
          <ul className={classes.missing}>
            {missing.map((what) => (
              <li key={what}>
                {missingWords[what]}
                {isOwn(what) && (
                  <>
                    {' '}
                    <Link to="/settings/organization">{t('Open company details')}</Link>
                  </>
                )}
              </li>
            ))}
            {letters.length > 0 && (
              <li>
                {t('The PDF has no letters for these signs and shows boxes: {letters}', { letters: letters.join(' ') })}
              </li>
            )}
          </ul>
        </Alert>
      )}
      <a href={pdf} target="_blank" rel="noreferrer" className={classes.showPdf}>
        {t('Show the PDF as it will go out')}
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
