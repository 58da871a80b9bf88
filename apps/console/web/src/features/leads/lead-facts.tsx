import { originFields, type LeadRecord } from '@crm/contract'
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { describeInstant } from '../../base/moments.ts'
import { usePeopleNames } from '../../base/people.ts'
import { fieldName } from '../../records/field-words.ts'
import { describeValue } from '../../records/timeline-words.ts'
import { useRecordName } from '../../records/use-record-name.ts'
import { Website } from '../../records/website.tsx'
import { Facts } from '../../shell/facts.tsx'
import { ScoreMark, StatusMark, TemperatureMark } from './lead-marks.tsx'

/** What is known of a lead. */
export function LeadFacts({ lead }: { readonly lead: LeadRecord }) {
  const people = usePeopleNames([lead.ownerId])
  const contact = useRecordName('CONTACT', lead.contactId)
  const company = useRecordName('COMPANY', lead.companyId)
  const deal = useRecordName('DEAL', lead.dealId)
  const address = describeValue(lead.address, people)
  const more: (readonly [string, ReactNode])[] = [
    ...originFields.filter((field) => lead[field] !== null).map((field) => [fieldName(field), lead[field]] as const),
    ...Object.entries(lead.customFields).map(([key, value]) => [fieldName(key), describeValue(value, people)] as const),
  ]
  return (
    <Facts
      facts={[
        ['Status', <StatusMark key="status" status={lead.status} />],
        ['Temperature', <TemperatureMark key="temperature" temperature={lead.temperature} />],
        ['Score', <ScoreMark key="score" score={lead.score} />],
        [
          'E-mail',
          lead.email && (
            <Anchor key="email" href={`mailto:${lead.email}`}>
              {lead.email}
            </Anchor>
          ),
        ],
        [
          'Phone',
          lead.phone && (
            <Anchor key="phone" href={`tel:${lead.phone}`}>
              {lead.phone}
            </Anchor>
          ),
        ],
        ['Company', lead.companyName],
        ['Job title', lead.jobTitle],
        ['Website', lead.website && <Website key="website" address={lead.website} />],
        ...(address === null ? [] : [['Address', address] as const]),
        ...lead.messengers.map(({ type, handle }) => [fieldName(type), handle] as const),
        ['Owner', (lead.ownerId !== null && people.get(lead.ownerId)) || null],
        ...(lead.tags.length > 0 ? [['Tags', lead.tags.join(', ')] as const] : []),
        ['Description', lead.description],
        ...(lead.lostReason === null ? [] : [[fieldName('lostReason'), lead.lostReason] as const]),
        ...more,
        ['Created', describeInstant(lead.createdAt)],
        ...(lead.convertedAt === null ? [] : [['Converted', describeInstant(lead.convertedAt)] as const]),
        ...(lead.contactId === null
          ? []
          : [
              [
                'Became contact',
                <Link key="contact" to="/contacts/$id" params={{ id: lead.contactId }}>
                  {contact}
                </Link>,
              ] as const,
            ]),
        ...(lead.companyId === null
          ? []
          : [
              [
                'Became company',
                <Link key="company" to="/companies/$id" params={{ id: lead.companyId }}>
                  {company}
                </Link>,
              ] as const,
            ]),
        ...(lead.dealId === null
          ? []
          : [
              [
                'Became deal',
                <Link key="deal" to="/deals/$id" params={{ id: lead.dealId }}>
                  {deal}
                </Link>,
              ] as const,
            ]),
      ]}
    />
  )
}
