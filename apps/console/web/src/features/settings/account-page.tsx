import { densities, languages as languageCodes, themes, timeFormats } from '@crm/contract'
import { SimpleGrid, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { isNoNumber } from '../../base/decimals.ts'
import { languages } from '../../base/language.ts'
import { useSession } from '../../base/session.ts'
import { OwnPicture } from './own-picture.tsx'
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
const themeNames = { light: t('settings.light'), dark: t('settings.dark') } as const

/** The settings of a person's own account. */
export function AccountPage() {
  const { person } = useSession()
  return (
    <Page title={t('settings.profile')} narrow>
      <Panel title={t('settings.aboutYou')}>
        <Stack gap="lg">
          <OwnPicture />
          <Facts
            facts={[
              [t('common.name'), person.name],
              [t('common.email'), person.email],
            ]}
          />
        </Stack>
      </Panel>
      <Panel title={t('settings.preferences')}>
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
  const usual = (value: string) => t('settings.workspaceDefaultValue', { value })
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Choice
          label={t('settings.language')}
          value={person.locale}
          none={t('settings.likeTheBrowser')}
          data={languageCodes.map((value) => ({ value, label: languages[value] }))}
          onChange={(locale) => change({ locale })}
        />
        <Choice
          label={t('common.timeZone')}
          value={person.timezone}
          none={usual(workspace.timezone.replaceAll('_', ' '))}
          data={timeZones(person.timezone ?? workspace.timezone)}
          onChange={(timezone) => change({ timezone })}
        />
        <Choice
          label={t('settings.timeFormat')}
          value={person.timeFormat}
          none={usual(times[workspace.timeFormat])}
          data={timeFormats.map((value) => ({ value, label: times[value] }))}
          onChange={(timeFormat) => change({ timeFormat })}
        />
        <Choice
          label={t('settings.theme')}
          value={person.theme}
          none={t('settings.likeTheDevice')}
          data={themes.map((value) => ({ value, label: themeNames[value] }))}
          onChange={(theme) => change({ theme })}
        />
        <Choice
          label={t('common.rowHeight')}
          value={person.density ?? 'compact'}
          data={densities.map((value) => ({ value, label: t(`common.${value}`) }))}
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
      label={t('settings.startPage')}
      value={isKnown ? startPage : null}
      none={t('frame.home')}
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
      change({ monthlyGoal: next }, { onSuccess: () => notify(t('settings.goalSaved')) })
  }
  return (
    <DecimalInput
      label={t('settings.monthlyGoal')}
      description={t('settings.monthlyGoalNote')}
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
      nothingFoundMessage={t('common.nothingFound')}
      value={value ?? ''}
      data={[...(none === undefined ? [] : [{ value: '', label: none }]), ...data]}
      onChange={(chosen) => {
        if (chosen !== null) onChange(chosen === '' ? null : (chosen as Value))
      }}
    />
  )
}
