import type { LeadRecord } from '@crm/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '../../base/session.ts'
import type { PageParts } from '../../records/kind-pages.ts'
import { usePageCommand } from '../../records/page-commands.ts'
import { leadTitle } from '../../records/titles.ts'
import { ConvertLeadDialog } from './convert-lead-dialog.tsx'
import { LeadStageBar } from './stage-bar.tsx'
import { t } from '../../base/texts.ts'

/** Returns what is special about the page of a lead: its stages, and its conversion. */
export function partsOf(lead: LeadRecord): PageParts {
  return {
    note: lead.companyName !== leadTitle(lead) && lead.companyName,
    actions: <Conversion lead={lead} />,
    top: <LeadStageBar lead={lead} />,
  }
}

function Conversion({ lead }: { readonly lead: LeadRecord }) {
  const { may } = useSession()
  const [isOpen, setOpen] = useState(false)
  const convert = may('UPDATE_LEAD') && lead.convertedAt === null && (() => setOpen(true))
  usePageCommand('convert', convert)
  if (!convert) return null
  return (
    <>
      <Button onClick={convert}>{t('Convert')}</Button>
      <ConvertLeadDialog lead={lead} opened={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}
