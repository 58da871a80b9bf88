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
  ['SKIP', t('Skip')],
  ['UPDATE', t('Update')],
  ['CREATE', t('Create another')],
] as const

const matchNames: Readonly<Record<(typeof migrationMatches)[number], string>> = {
  externalId: t('Id of the former program'),
  email: t('Email'),
  phone: t('Phone'),
  domain: t('Domain'),
  number: t('Number'),
}

/** How a migration treats what it finds here, what it cannot read, and whom it tells. */
export function ImportSettings({ plan, isLocked, onChange }: ImportSettingsProps) {
  const people = useDirectory()
  return (
    <Panel title={t('How to import')}>
      <div className={classes.questions}>
        <NativeSelect
          label={t('If a record is already here')}
          value={plan.onDuplicate}
          disabled={isLocked}
          onChange={({ currentTarget }) =>
            onChange({ onDuplicate: duplicates.find(([value]) => value === currentTarget.value)?.[0] })
          }
          data={duplicates.map(([value, label]) => ({ value, label }))}
        />
        <MultiSelect
          label={t('Found by')}
          value={plan.matchBy}
          disabled={isLocked}
          onChange={(chosen) => onChange({ matchBy: migrationMatches.filter((match) => chosen.includes(match)) })}
          data={migrationMatches.map((value) => ({ value, label: matchNames[value] }))}
        />
        <NativeSelect
          label={t('If a value cannot be read')}
          value={plan.onBadCell}
          disabled={isLocked}
          onChange={({ currentTarget }) =>
            onChange({ onBadCell: currentTarget.value === 'SKIP_ROW' ? 'SKIP_ROW' : 'EMPTY' })
          }
          data={[
            { value: 'EMPTY', label: t('Leave it empty') },
            { value: 'SKIP_ROW', label: t('Skip the row') },
          ]}
        />
        <TypedSelect
          label={t('Owner of everything else')}
          value={plan.defaultOwnerId}
          disabled={isLocked}
          searchable
          onChange={(chosen) => chosen !== null && onChange({ defaultOwnerId: chosen })}
          data={people.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <TypedSelect
          label={t('Country of phone numbers without a country code')}
          value={plan.defaultCountry}
          disabled={isLocked}
          searchable
          clearable
          onChange={(chosen) => onChange({ defaultCountry: chosen })}
          data={countryChoices()}
        />
        <TypedSelect
          label={t('Time zone of times that name none')}
          value={plan.zone}
          disabled={isLocked}
          searchable
          onChange={(chosen) => chosen !== null && onChange({ zone: chosen })}
          data={timeZones(plan.zone)}
        />
        <Switch
          label={t('Run automation for imported records')}
          description={t('Off: no rule, workflow, notification or mail for these records.')}
          checked={plan.automation === 'RUN'}
          disabled={isLocked}
          onChange={({ currentTarget }) => onChange({ automation: currentTarget.checked ? 'RUN' : 'SILENT' })}
        />
      </div>
    </Panel>
  )
}
