import { ActionIcon, Combobox, useCombobox } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../shell/icons.tsx'
import classes from './automation.module.css'
import type { Variable } from './variables.ts'
import { t } from './texts.ts'

interface DataPickerProps {
  /** The name of the field that the data goes into. */
  readonly label: string
  readonly variables: readonly Variable[]
  onPick(variable: Variable): void
}

/** The button that offers the data of the trigger and of earlier steps, by a part of their name. */
export function DataPicker({ label, variables, onPick }: DataPickerProps) {
  const [search, setSearch] = useState('')
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption()
      setSearch('')
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  })
  const wanted = search.trim().toLowerCase()
  const found = variables.filter(({ source, label: name }) => `${source} ${name}`.toLowerCase().includes(wanted))
  const groups = [...Map.groupBy(found, ({ source }) => source)]
  if (variables.length === 0) return null
  const name = t('Insert data into {label}', { label })
  return (
    <Combobox
      store={combobox}
      width={280}
      position="bottom-end"
      onOptionSubmit={(path) => {
        const chosen = variables.find((variable) => variable.path === path)
        if (chosen) onPick(chosen)
        combobox.closeDropdown()
      }}
    >
      <Combobox.Target withAriaAttributes={false} targetType="button">
        <ActionIcon
          variant="subtle"
          size={30}
          aria-label={name}
          aria-expanded={combobox.dropdownOpened}
          title={t('Insert data')}
          onClick={() => combobox.toggleDropdown()}
        >
          <Icon name="plus" size={16} />
        </ActionIcon>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={search}
          aria-label={t('Search data')}
          placeholder={t('Search data')}
          onChange={(event) => {
            setSearch(event.currentTarget.value)
            combobox.selectFirstOption()
          }}
        />
        <Combobox.Options className={classes.options} aria-label={name}>
          {groups.map(([source, ofSource]) => (
            <Combobox.Group key={source} label={source}>
              {ofSource.map(({ path, label: text }) => (
                <Combobox.Option key={path} value={path}>
                  {text}
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
          {groups.length === 0 && <Combobox.Empty>{t('Nothing found')}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
