import type { DealRecord } from '@crm/contract'
import { Link } from '@tanstack/react-router'
import { describeDay } from '../../base/moments.ts'
import { usePeopleNames } from '../../base/people.ts'
import { describeMoney } from '../../records/money.ts'
import { usePipelines } from '../../records/pipelines.ts'
import { Age } from '../../shell/age.tsx'
import tables from '../../shell/table.module.css'
import { DealStatusMark } from './deal-marks.tsx'

/** The deals of a page as a table; on a phone only what tells them apart. */
export function DealsTable({ deals, isStale }: { readonly deals: readonly DealRecord[]; readonly isStale: boolean }) {
  const owners = usePeopleNames(deals.map(({ ownerId }) => ownerId))
  const stages = new Map(usePipelines('DEAL').flatMap((pipeline) => pipeline.stages.map(({ id, name }) => [id, name])))
  return (
    <table className={tables.table} aria-label="Deals" aria-busy={isStale} data-stale={isStale}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Amount</th>
          <th scope="col">Status</th>
          <th scope="col" data-extra="true">Stage</th>
          <th scope="col" data-extra="true">Closes</th>
          <th scope="col" data-extra="true">Owner</th>
          <th scope="col" data-extra="true">Created</th>
        </tr>
      </thead>
      <tbody>
        {deals.map((deal) => (
          <tr key={deal.id}>
            <td><Link to="/deals/$id" params={{ id: deal.id }} className={tables.title}>{deal.name}</Link></td>
            <td>{describeMoney(deal.amount, deal.currency) ?? '–'}</td>
            <td><DealStatusMark status={deal.status} /></td>
            <td data-extra="true">{stages.get(deal.stageId) ?? '–'}</td>
            <td data-extra="true">{deal.expectedCloseDate === null ? '–' : describeDay(deal.expectedCloseDate, 'UTC')}</td>
            <td data-extra="true">{(deal.ownerId && owners.get(deal.ownerId)) ?? '–'}</td>
            <td data-extra="true"><Age at={deal.createdAt} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
