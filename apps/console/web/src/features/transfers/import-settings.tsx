import { migrationMatches, type MigrationPlan, type MigrationPlanChange } from '@crm/contract'
import { MultiSelect, NativeSelect, Switch } from '@mantine/core'
import { countryChoices } from '../../base/countries.ts'
import { useDirectory } from '../../base/people.ts'
import { timeZones } from '../../base/time-zones.ts'
import { Panel } from '../../shell/page.tsx'
import classes from './moving.module.css'
import { TypedSelect } from '../../shell/typed-select.tsx'
import { t } from './texts.ts'

interface ImportSettingsProps {
  readonly plan: MigrationPlan
  readonly isLocked: boolean
  onChange(change: MigrationPlanChange): void
}

const duplicates = [
  ['SKIP', t('moving.skip')],
  ['UPDATE', t('moving.update')],
  ['CREATE', t('moving.createAnother')],
] as const

/** How a migration treats what it finds here, what it cannot read, and whom it tells. */
export function ImportSettings({ plan, isLocked, onChange }: ImportSettingsProps) {
  const people = useDirectory()
  return (
    <Panel title={t('moving.settings')}>
      <div className={classes.questions}>
        <NativeSelect
          label={t('moving.onDuplicate')}
          value={plan.onDuplicate}
          disabled={isLocked}
          onChange={({ currentTarget }) =>
            onChange({ onDuplicate: duplicates.find(([value]) => value === currentTarget.value)?.[0] })
          }
          data={duplicates.map(([value, label]) => ({ value, label }))}
        />
        <MultiSelect
          label={t('moving.matchBy')}
          value={plan.matchBy}
          disabled={isLocked}
          onChange={(chosen) => onChange({ matchBy: migrationMatches.filter((match) => chosen.includes(match)) })}
          data={migrationMatches.map((value) => ({ value, label: t(`moving.match.${value}`) }))}
        />
        <NativeSelect
          label={t('moving.badCell')}
          value={plan.onBadCell}
          disabled={isLocked}
          onChange={({ currentTarget }) =>
            onChange({ onBadCell: currentTarget.value === 'SKIP_ROW' ? 'SKIP_ROW' : 'EMPTY' })
          }
          data={[
            { value: 'EMPTY', label: t('moving.badCellEmpty') },
            { value: 'SKIP_ROW', label: t('moving.badCellSkip') },
          ]}
        />
        <TypedSelect
          label={t('moving.defaultOwner')}
          value={plan.defaultOwnerId}
          disabled={isLocked}
          searchable
          onChange={(chosen) => chosen !== null && onChange({ defaultOwnerId: chosen })}
          data={people.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <TypedSelect
          label={t('moving.country')}
          value={plan.defaultCountry}
          disabled={isLocked}
          searchable
          clearable
          onChange={(chosen) => onChange({ defaultCountry: chosen })}
          data={countryChoices()}
        />
        <TypedSelect
          label={t('moving.zone')}
          value={plan.zone}
          disabled={isLocked}
          searchable
          onChange={(chosen) => chosen !== null && onChange({ zone: chosen })}
          data={timeZones(plan.zone)}
        />
        <Switch
          label={t('moving.runAutomation')}
          description={t('moving.runAutomationNote')}
          checked={plan.automation === 'RUN'}
          disabled={isLocked}
          onChange={({ currentTarget }) => onChange({ automation: currentTarget.checked ? 'RUN' : 'SILENT' })}
        />
      </div>
    </Panel>
  )
}
