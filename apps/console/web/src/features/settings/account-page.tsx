import { languages as languageCodes, themes, timeFormats } from '@crm/contract'
import { SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { isNoNumber } from '../../base/decimals.ts'
import { languages } from '../../base/language.ts'
import { useSession } from '../../base/session.ts'
import { OwnPicture } from './own-picture.tsx'
import { densityChoices } from '../../records/list/density-words.ts'
import { t } from './texts.ts'
import { timeZones } from '../../base/time-zones.ts'
import { useKnownPlaces } from '../../frame/places.ts'
import { DecimalInput } from '../../shell/decimal-input.tsx'
import { Facts } from '../../shell/facts.tsx'
import { notify } from '../../shell/notices.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import { TypedSelect } from '../../shell/typed-select.tsx'
import { usePreferences } from '../../shell/use-preferences.ts'

const times = { '24h': '14:30', '12h': '2:30 pm' } as const
const themeNames = { light: t('Light'), dark: t('Dark') } as const

/** The settings of a person's own account. */
export function AccountPage() {
  const { person } = useSession()
  return (
    <Page title={t('Profile')} narrow>
      <Panel title={t('About you')}>
        <Stack gap="lg">
          <OwnPicture />
          <Facts
            facts={[
              [t('Name'), person.name],
              [t('Email'), person.email],
            ]}
          />
        </Stack>
      </Panel>
      <Panel title={t('Preferences')}>
        <Preferences />
      </Panel>
    </Page>
  )
}

/** What follows a person to every browser; each choice is kept at once. */
function Preferences() {
  const { person } = useSession()
  const { workspace } = person
  const { change, error } = usePreferences()
  const usual = (value: string) => t('Workspace default ({value})', { value })
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Choice
          label={t('Language')}
          value={person.locale}
          none={t('Like the browser')}
          data={languageCodes.map((value) => ({ value, label: languages[value] }))}
          onChange={(locale) => change({ locale })}
        />
        <Choice
          label={t('Time zone')}
          value={person.timezone}
          none={usual(workspace.timezone.replaceAll('_', ' '))}
          data={timeZones(person.timezone ?? workspace.timezone)}
          onChange={(timezone) => change({ timezone })}
        />
        <Choice
          label={t('Time format')}
          value={person.timeFormat}
          none={usual(times[workspace.timeFormat])}
          data={timeFormats.map((value) => ({ value, label: times[value] }))}
          onChange={(timeFormat) => change({ timeFormat })}
        />
        <Choice
          label={t('Theme')}
          value={person.theme}
          none={t('Like the device')}
          data={themes.map((value) => ({ value, label: themeNames[value] }))}
          onChange={(theme) => change({ theme })}
        />
        <Choice
          label={t('Row height')}
          value={person.density ?? 'compact'}
          data={densityChoices}
          onChange={(density) => change({ density })}
        />
        <StartPage />
        <Goal />
      </SimpleGrid>
      <RefusalAlert error={error} />
    </>
  )
}

/** The page with which the console opens: any page of the navigation, or a view. */
function StartPage() {
  const { startPage } = useSession().person
  const { change } = usePreferences()
  const places = useKnownPlaces({ withViews: true })
  const others = places.filter(({ path }) => path !== '/').map(({ path, label }) => ({ value: path, label }))
  // The view of a colleague may be gone.
  const isKnown = others.some(({ value }) => value === startPage)
  return (
    <Choice
      label={t('Start page')}
      value={isKnown ? startPage : null}
      none={t('Home')}
      data={others}
      onChange={(chosen) => change({ startPage: chosen })}
    />
  )
}

/** The amount that the person wants to win each month; it is kept when the field is left. */
function Goal() {
  const { monthlyGoal, workspace } = useSession().person
  const { change } = usePreferences()
  const [typed, setTyped] = useState(monthlyGoal ?? '')
  const save = () => {
    const next = typed.trim() === '' ? null : typed
    if (!isNoNumber(typed) && Number(next) !== Number(monthlyGoal))
      change({ monthlyGoal: next }, { onSuccess: () => notify(t('Goal saved')) })
  }
  return (
    <DecimalInput
      label={t('Monthly goal')}
      description={t('Amount to win each month, shown on Home')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      rightSection={
        <Text size="xs" c="dimmed">
          {workspace.currency}
        </Text>
      }
      rightSectionWidth={48}
      value={typed}
      onChange={setTyped}
      onBlur={save}
      onKeyDown={(event) => event.key === 'Enter' && save()}
    />
  )
}

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly value: Value | null
  /** The words for no choice, where that is one. */
  readonly none?: string
  readonly data: readonly { readonly value: Value; readonly label: string }[]
  onChange(value: Value | null): void
}

function Choice<Value extends string>({ label, value, none, data, onChange }: ChoiceProps<Value>) {
  return (
    <TypedSelect
      label={label}
      searchable={data.length > 10}
      nothingFoundMessage={t('Nothing found')}
      value={value ?? ''}
      data={[...(none === undefined ? [] : [{ value: '', label: none }]), ...data]}
      onChange={(chosen) => {
        if (chosen !== null) onChange(chosen === '' ? null : (chosen as Value))
      }}
    />
  )
}
