import { Kbd, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Command as Menu } from 'cmdk'
import { useState, type KeyboardEvent } from 'react'
import { crm } from '../base/api.ts'
import { useSession } from '../base/session.ts'
import { pageCommands, type PageCommandId } from '../records/page-commands.ts'
import { useKinds, type Kind } from '../records/record-kinds.ts'
import { pathOf } from '../records/record-place.ts'
import { recentRecords } from '../records/recent-records.ts'
import { Icon, type IconName } from '../shell/icons.tsx'
import { Pill } from '../shell/pill.tsx'
import classes from './command-menu.module.css'
import { hitInWords } from './hit-words.ts'
import { commandGroups, commandsOn, openers, type Command } from './commands.ts'
import { alsoCalled } from './also-called.ts'
import { startWords } from './start-words.ts'
import { capitalized, t, terms } from '../base/texts.ts'
import { Dialog } from '../shell/dialog.tsx'

interface CommandMenuProps {
  readonly commands: readonly Command[]
  readonly opened: boolean
  onRun(command: Command): void
  /** Goes to an address of the console. */
  onGo(path: string): void
  /** Opens the page of a record and runs a command on it. */
  onRunOn(path: string, id: PageCommandId): void
  onClose(): void
}

const shortestSearch = 2
const shownMax = 8
/** The signs that narrow the menu to commands or to people. */
const signs = ['>', '@'] as const

/** Finds records and commands by a part of their name. */
export function CommandMenu({ opened, onClose, ...menu }: CommandMenuProps) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={<VisuallyHidden>{t('Command menu')}</VisuallyHidden>}
      withCloseButton={false}
      size="lg"
      yOffset="12vh"
      padding={0}
      classNames={{ header: classes.header ?? '' }}
    >
      <Choices {...menu} onClose={onClose} />
    </Dialog>
  )
}

/** A record that the menu has found, with its kind and its address. */
interface FoundRecord {
  readonly title: string
  readonly kind: Kind
  readonly path: string
}

/** An entry that can be chosen. */
interface Choice {
  readonly id: string
  readonly label: string
  /** What it is. */
  readonly note?: string | undefined
  /** What tells it from others of the same name. */
  readonly line?: string | undefined
  /** A state that people must know before they open it. */
  readonly mark?: string | undefined
  readonly icon: IconName
  readonly keys?: string | undefined
  readonly path?: string | undefined
  /** The record whose actions Tab shows. */
  readonly record?: FoundRecord | undefined
  run(): void
}

type Groups = readonly (readonly [string, readonly Choice[]])[]

function Choices({ commands, onRun, onGo, onRunOn, onClose }: Omit<CommandMenuProps, 'opened'>) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState('')
  const [actedOn, setActedOn] = useState<FoundRecord | null>(null)
  const sign = actedOn ? undefined : signs.find((one) => text.startsWith(one))
  const wanted = text
    .slice(sign === undefined ? 0 : 1)
    .trim()
    .toLowerCase()
  const matches = (label: string) => startWords(label, wanted)
  const run = (act: () => void) => () => {
    onClose()
    act()
  }
  const records = useRecordChoices({ wanted, sign, matches, open: (path) => run(() => onGo(path)) })
  const actions = useRecordActions(actedOn, (path, id) => run(() => (id ? onRunOn(path, id) : onGo(path))))
  const offered = (group: Command['group']): Choice[] =>
    commands
      .filter((command) => command.group === group && matches(namesOf(command)) && !openers.includes(command.id))
      .map((command) => ({
        id: command.id,
        label: command.label,
        icon: command.icon,
        keys: command.keys,
        path: 'goesTo' in command.does ? command.does.goesTo : undefined,
        run: run(() => onRun(command)),
      }))
  const isCommands = sign === '>'
  const isSearching = actedOn === null && records.isPending
  const everyCommand = (): Groups => [
    [commandGroups.selection, offered('selection')],
    [commandGroups.record, offered('record')],
    [commandGroups.list, offered('list')],
    [commandGroups.create, offered('create')],
    [commandGroups.goTo, offered('goTo')],
    [commandGroups.settings, wanted === '' && !isCommands ? [] : offered('settings')],
    [commandGroups.help, offered('help')],
  ]
  const groups: Groups = actedOn
    ? [[t('Actions on {title}', { title: actedOn.title }), actions.filter(({ label }) => matches(label))]]
    : [...(isCommands ? [] : records.groups), ...(sign === '@' ? [] : everyCommand())]
  const chosenOne = () => groups.flatMap(([, choices]) => choices).find(({ id }) => id === chosen)
  const press = (event: KeyboardEvent) => {
    const { record, path } = chosenOne() ?? {}
    const isElsewhere = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    const isBack = actedOn !== null && event.key === 'Backspace' && text === ''
    const isDeeper = event.key === 'Tab' && !event.shiftKey && record !== undefined
    if (!isElsewhere && !isBack && !isDeeper) return
    event.preventDefault()
    event.stopPropagation()
    if (isElsewhere && path !== undefined) open(path, '_blank', 'noopener')
    if (isBack || isDeeper) {
      setActedOn(isDeeper ? record : null)
      setText('')
    }
  }
  return (
    <Menu
      label={t('Search or run a command')}
      shouldFilter={false}
      value={chosen}
      onValueChange={setChosen}
      onKeyDownCapture={press}
      loop
    >
      <div className={classes.field}>
        <Icon name="search" size={18} />
        {actedOn && <span className={classes.chip}>{actedOn.title}</span>}
        <Menu.Input
          aria-label={t('Search or run a command')}
          placeholder={t('Search or run a command')}
          value={text}
          onValueChange={setText}
          className={classes.input}
          aria-describedby="command-menu-hint"
          data-autofocus
        />
      </div>
      <Results groups={groups} isSearching={isSearching} />
      <div id="command-menu-hint" className={classes.hint}>
        {t('Tab for actions of a record, > for commands, @ for people')}
      </div>
    </Menu>
  )
}

/** The entries by their headings; while a search is on its way, nothing counts as not found. */
function Results({ groups, isSearching }: { readonly groups: Groups; readonly isSearching: boolean }) {
  return (
    <>
      <Menu.List label={t('Results')} className={classes.list}>
        {!isSearching && <Menu.Empty className={classes.empty}>{t('Nothing found')}</Menu.Empty>}
        {groups.map(
          ([heading, choices]) =>
            choices.length > 0 && (
              <Menu.Group key={heading} heading={heading} className={classes.group}>
                {choices.map((choice) => (
                  <Entry key={choice.id} {...choice} />
                ))}
              </Menu.Group>
            ),
        )}
      </Menu.List>
      {/* Outside the list, whose children are options. */}
      <div role="status" className={classes.pending}>
        {isSearching && t('Searching…')}
      </div>
    </>
  )
}

function Entry({ id, label, note, line, mark, icon, keys, run }: Choice) {
  return (
    <Menu.Item value={id} onSelect={run} className={classes.item}>
      <Icon name={icon} size={16} />
      <span className={classes.label}>
        <bdi>{label}</bdi>
        {line !== undefined && (
          <>
            {' '}
            <span className={classes.line}>{line}</span>
          </>
        )}
      </span>
      {mark !== undefined && <Pill tone="green">{mark}</Pill>}
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
  )
}

/** The label of a command, and what people call the page to which it leads. */
const namesOf = ({ label, does }: Command): string => `${label} ${('goesTo' in does && alsoCalled[does.goesTo]) || ''}`

interface Asked {
  readonly wanted: string
  readonly sign: (typeof signs)[number] | undefined
  matches(label: string): boolean
  open(path: string): () => void
}

/** Returns the records that were opened lately and those that a search finds; people alone after their sign. */
function useRecordChoices({ wanted, sign, matches, open }: Asked): { groups: Groups; isPending: boolean } {
  const { person } = useSession()
  const kinds = useKinds()
  const { found, isPending } = useFound(wanted, sign === '@' ? ['employee'] : undefined, sign !== '>')
  const choiceOf = (id: string, entityType: string, title: string, path: string): Choice => {
    const kind = kinds.find(({ key }) => key === entityType)
    return {
      id,
      label: title,
      note: entityType === 'EMPLOYEE' ? terms.kinds.PERSON.one : (kind?.noun ?? entityType.toLowerCase()),
      icon: (kind?.icon ?? 'records') as IconName,
      path,
      record: kind && { title, kind, path },
      run: open(path),
    }
  }
  const records = found.map(({ id, type, title, url, context }) => {
    const entityType = type.toUpperCase()
    const kind = kinds.find(({ key }) => key === entityType)
    return {
      ...choiceOf(id, entityType, title, new URL(url, location.href).pathname),
      ...(context && hitInWords(context, kind)),
    }
  })
  const recent = (sign === '@' ? [] : recentRecords(person.id))
    .filter(({ title }) => matches(title))
    .map(({ title, ...place }) => choiceOf(`recent ${place.entityId}`, place.entityType, title, pathOf(place)))
    .filter(({ path }) => records.every((one) => one.path !== path))
  const groups: Groups = [
    [t('Recent'), recent],
    [sign === '@' ? t('People') : t('Records'), records],
  ]
  return { groups, isPending }
}

/** Returns the actions on a record that the menu has found. */
function useRecordActions(
  record: FoundRecord | null,
  act: (path: string, id: PageCommandId | undefined) => () => void,
): readonly Choice[] {
  const { usable } = useSession()
  if (record === null) return []
  const { kind, path } = record
  return [
    { id: 'open', label: t('Open', { context: 'verb' }), icon: 'open', path, run: act(path, undefined) },
    ...commandsOn(kind, usable).map((id) => ({ id, ...wordsOf(id), run: act(path, id) })),
  ]
}

function wordsOf(id: PageCommandId): Pick<Choice, 'label' | 'icon' | 'keys'> {
  return pageCommands[id]
}

/** Returns what a search finds for the text that stands there now, and whether its answer is still on its way. */
function useFound(wanted: string, types: readonly string[] | undefined, isSearching: boolean) {
  const [settled] = useDebouncedValue(wanted, 150)
  const isAsked = isSearching && wanted.length >= shortestSearch
  const { data, isPlaceholderData, isError } = useQuery({
    queryKey: ['search', settled, types],
    queryFn: ({ signal }) =>
      crm.search.find({ query: { q: settled, limit: shownMax, ...(types ? { types: types.join(',') } : {}) }, signal }),
    enabled: isAsked && settled.length >= shortestSearch,
    placeholderData: keepPreviousData,
  })
  if (!isAsked) return { found: [], isPending: false }
  const isPending = !isError && (settled !== wanted || data === undefined || isPlaceholderData)
  // Of an earlier answer only what fits the new text as well stays in sight.
  const found = (data?.results ?? []).filter(({ title }) => !isPending || startWords(title, wanted))
  return { found, isPending }
}
