import { Kbd, Modal, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Command as Menu } from 'cmdk'
import { useState, type KeyboardEvent } from 'react'
import { crm } from '../base/api.ts'
import { useSession } from '../base/session.ts'
import { useKinds } from '../records/record-kinds.ts'
import { pathOf } from '../records/record-place.ts'
import { recentRecords } from '../records/recent-records.ts'
import { Icon, type IconName } from '../shell/icons.tsx'
import classes from './command-menu.module.css'
import { commandGroups, type Command } from './commands.ts'
import { capitalized, t } from '../base/texts.ts'

interface CommandMenuProps {
  readonly commands: readonly Command[]
  readonly opened: boolean
  onRun(command: Command): void
  /** Goes to an address of the console. */
  onGo(path: string): void
  onClose(): void
}

const shortestSearch = 2
const shownMax = 8

/** Finds records and commands by a part of their name. */
export function CommandMenu({ opened, onClose, ...menu }: CommandMenuProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={<VisuallyHidden>{t('frame.commandMenu')}</VisuallyHidden>}
      withCloseButton={false}
      size="lg"
      yOffset="12vh"
      padding={0}
      classNames={{ header: classes.header ?? '' }}
    >
      <Choices {...menu} onClose={onClose} />
    </Modal>
  )
}

/** An entry that can be chosen. */
interface Choice {
  readonly id: string
  readonly label: string
  readonly note?: string | undefined
  readonly icon: IconName
  readonly keys?: string | undefined
  readonly path: string | undefined
  run(): void
}

function Choices({ commands, onRun, onGo, onClose }: Omit<CommandMenuProps, 'opened'>) {
  const { person } = useSession()
  const kinds = useKinds()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState('')
  const wanted = text.trim().toLowerCase()
  const found = useFound(wanted)
  const nounOf = (type: string) =>
    type === 'employee' ? t('kinds.PERSON.one') : (kinds.find(({ key }) => key === type.toUpperCase())?.noun ?? type)
  const go = (path: string) => () => {
    onClose()
    onGo(path)
  }
  const matches = (label: string) =>
    wanted.split(/\s+/).every((word) =>
      label
        .toLowerCase()
        .split(/\s+/)
        .some((part) => part.startsWith(word)),
    )
  const recent: Choice[] = recentRecords(person.id)
    .filter(({ title }) => matches(title))
    .map(({ entityType, entityId, title }) => {
      const path = pathOf({ entityType, entityId })
      return {
        id: `recent ${entityId}`,
        label: title,
        note: nounOf(entityType),
        icon: iconOf(kinds, entityType),
        path,
        run: go(path),
      }
    })
  const records: Choice[] = found.map(({ id, type, title, url }) => {
    const path = new URL(url, location.href).pathname
    return { id, label: title, note: nounOf(type), icon: iconOf(kinds, type.toUpperCase()), path, run: go(path) }
  })
  const offered = (group: Command['group']): Choice[] =>
    commands
      .filter((command) => command.group === group && matches(command.label) && command.id !== 'menu')
      .map((command) => ({
        id: command.id,
        label: command.label,
        icon: command.icon,
        keys: command.keys,
        path: 'goesTo' in command.does ? command.does.goesTo : undefined,
        run: () => {
          onClose()
          onRun(command)
        },
      }))
  const groups: readonly (readonly [string, readonly Choice[]])[] = [
    [
      t('frame.recent'),
      wanted === '' ? recent : recent.filter(({ path }) => records.every((one) => one.path !== path)),
    ],
    [t('common.records'), records],
    [commandGroups.record, offered('record')],
    [commandGroups.list, offered('list')],
    [commandGroups.create, offered('create')],
    [commandGroups.goTo, offered('goTo')],
    [commandGroups.settings, wanted === '' ? [] : offered('settings')],
    [commandGroups.help, offered('help')],
  ]
  const openElsewhere = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.stopPropagation()
    const path = groups.flatMap(([, choices]) => choices).find(({ id }) => id === chosen)?.path
    if (path !== undefined) open(path, '_blank', 'noopener')
  }
  return (
    <Menu
      label={t('frame.searchOrRunACommand')}
      shouldFilter={false}
      value={chosen}
      onValueChange={setChosen}
      onKeyDownCapture={openElsewhere}
      loop
    >
      <div className={classes.field}>
        <Icon name="search" size={18} />
        <Menu.Input
          aria-label={t('frame.searchOrRunACommand')}
          placeholder={t('frame.searchOrRunACommand')}
          value={text}
          onValueChange={setText}
          className={classes.input}
          data-autofocus
        />
      </div>
      <Menu.List label={t('frame.results')} className={classes.list}>
        <Menu.Empty className={classes.empty}>{t('common.nothingFound')}</Menu.Empty>
        {groups.map(
          ([heading, choices]) =>
            choices.length > 0 && (
              <Menu.Group key={heading} heading={heading} className={classes.group}>
                {choices.map(({ id, label, note, icon, keys, run }) => (
                  <Menu.Item key={id} value={id} onSelect={run} className={classes.item}>
                    <Icon name={icon} size={16} />
                    <span className={classes.label}>{label}</span>
                    {note !== undefined && <span className={classes.note}>{capitalized(note)}</span>}
                    {keys !== undefined && (
                      <span aria-hidden="true">
                        {keys.split(' ').map((key) => (
                          <Kbd key={key} size="xs">
                            {key}
                          </Kbd>
                        ))}
                      </span>
                    )}
                  </Menu.Item>
                ))}
              </Menu.Group>
            ),
        )}
      </Menu.List>
    </Menu>
  )
}

function useFound(wanted: string) {
  const [settled] = useDebouncedValue(wanted, 150)
  const isAsked = wanted.length >= shortestSearch && settled.length >= shortestSearch
  const { data } = useQuery({
    queryKey: ['search', settled],
    queryFn: ({ signal }) => crm.search.find({ query: { q: settled, limit: shownMax }, signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  })
  return isAsked ? (data?.results ?? []) : []
}

function iconOf(kinds: ReturnType<typeof useKinds>, entityType: string): IconName {
  return (kinds.find(({ key }) => key === entityType)?.icon ?? 'records') as IconName
}
