import { isFollowedUp } from '@crm/model'
import type { IconName } from '../shell/icons.tsx'
import { pageCommands, type PageCommandId } from '../records/page-commands.ts'
import { headingOf, isFurther, type Kind } from '../records/record-kinds.ts'
import { listOf, writingPageOf } from '../records/record-place.ts'
import { destinationsFor, settingsGroups, type Destination } from './navigation.ts'
import { named, t } from '../base/texts.ts'

/** The headings of the commands. */
export const commandGroups = {
  record: t('On a record'),
  list: t('In a list'),
  selection: t('On the selection'),
  create: t('Create'),
  goTo: t('Go to'),
  settings: t('Settings'),
  help: t('Help'),
}

/** A command that a person can run from anywhere: by the menu or by keys, which the list of keys shows. */
export interface Command {
  readonly id: string
  readonly label: string
  readonly group: keyof typeof commandGroups
  readonly icon: IconName
  /** The keys in the order in which they are pressed: `g d`. */
  readonly keys?: string
  readonly does: CommandEffect
}

type CommandEffect =
  | { readonly creates: string }
  | { readonly goesTo: string }
  | { readonly opens: 'keys' | 'menu' | 'new' }
  | { readonly folds: 'sidebar' }
  | { readonly undoes: 'last' }
  | { readonly runs: PageCommandId }

/** The second key after `g`, by the page that it leads to. */
const goKeys: Readonly<Record<string, string>> = {
  '/': 'g h',
  '/inbox': 'g i',
  '/dashboards': 'g b',
  '/leads': 'g l',
  '/deals': 'g d',
  '/contacts': 'g c',
  '/companies': 'g o',
  '/tasks': 'g t',
  '/calendar': 'g k',
  '/settings/profile': 'g s',
}

/** Activities are logged on the record that they are about, and a template has a form with its variables. */
const notCreatedAlone: readonly string[] = ['ACTIVITY', 'DOCUMENT']

/** Returns the commands that a person may run now, in order: those that the page offers come first. */
export function commandsFor(
  permissions: ReadonlySet<string>,
  kinds: readonly Kind[],
  offered: readonly PageCommandId[] = [],
): readonly Command[] {
  const created = kinds.filter(({ key, may }) => may.create && !notCreatedAlone.includes(key))
  return [
    ...offered.map(onPage),
    // The keys of lists have a meaning on every page.
    ...(created.length > 0 && !offered.includes('create') ? [newMenu] : []),
    ...(offered.includes('search') ? [] : [findAnything]),
    ...created.map(creating),
    ...destinationsFor(permissions).map(going),
    ...kinds.filter(isFurther).map(goingToFurther),
    { id: 'docs', label: t('API reference'), group: 'goTo', icon: 'docs', does: { goesTo: '/docs' } },
    {
      id: 'menu',
      label: t('Command menu'),
      group: 'help',
      icon: 'search',
      keys: 'Ctrl K',
      does: { opens: 'menu' },
    },
    {
      id: 'fold',
      label: t('Collapse sidebar'),
      group: 'help',
      icon: 'left',
      keys: '[',
      does: { folds: 'sidebar' },
    },
    {
      id: 'undo',
      label: t('Undo the last change'),
      group: 'help',
      icon: 'undo',
      keys: 'Ctrl Z',
      does: { undoes: 'last' },
    },
    {
      id: 'keys',
      label: t('Keyboard shortcuts'),
      group: 'help',
      icon: 'key',
      keys: '?',
      does: { opens: 'keys' },
    },
  ]
}

const newMenu: Command = {
  id: 'new',
  label: t('New'),
  group: 'create',
  icon: 'plus',
  keys: 'c',
  does: { opens: 'new' },
}

const findAnything: Command = {
  id: 'find',
  label: t('Search'),
  group: 'help',
  icon: 'search',
  keys: '/',
  does: { opens: 'menu' },
}

/** The commands that only open what is open already, as the menu sees it. */
export const openers: readonly string[] = ['menu', 'find', 'new']

/** Returns the commands on a record that a person may run from elsewhere: its page is opened for them. */
export function commandsOn({ key, may, fields }: Kind, permissions: ReadonlySet<string>): readonly PageCommandId[] {
  const has = (field: string) => may.update && fields.some((one) => one.key === field)
  const isWrittenTo = isFollowedUp(key)
  const all: readonly (readonly [PageCommandId, boolean])[] = [
    ['note', isWrittenTo],
    ['task', permissions.has('CREATE_TASK')],
    ['email', isWrittenTo && permissions.has('CREATE_ACTIVITY')],
    ['owner', has('ownerId')],
    ['stage', has('stageId')],
    ['duplicate', may.create],
    ['remove', may.delete],
  ]
  return all.filter(([, isOffered]) => isOffered).map(([id]) => id)
}

const onPage = (id: PageCommandId): Command => ({ id, ...pageCommands[id], does: { runs: id } })

function creating({ key, noun, icon }: Kind): Command {
  const page = writingPageOf(key)
  return {
    id: `create ${key}`,
    label: t('New {noun}', { ...named(noun), context: 'a command' }),
    group: 'create',
    icon: icon as IconName,
    does: page === undefined ? { creates: key } : { goesTo: page },
  }
}

function going({ to, label, icon, group }: Destination): Command {
  const keys = goKeys[to]
  return {
    id: `go ${to}`,
    label,
    group: isSettingsGroup(group) ? 'settings' : 'goTo',
    icon,
    ...(keys === undefined ? {} : { keys }),
    does: { goesTo: to },
  }
}

const isSettingsGroup = (group: string) => settingsGroups.some((one) => one === group)

function goingToFurther(kind: Kind): Command {
  return {
    id: `go ${kind.key}`,
    label: headingOf(kind),
    group: 'goTo',
    icon: 'records',
    does: { goesTo: listOf(kind.key) },
  }
}

interface Keys {
  readonly keys: string
  readonly label: string
  readonly group: string
}

/** The keys that work on some pages only: those of commands, and those that lists and fields handle themselves. */
export const keysOfPages: readonly Keys[] = [
  ...Object.values<Partial<Keys> & Pick<Command, 'label' | 'group'>>(pageCommands).flatMap(({ keys, label, group }) =>
    keys === undefined ? [] : [{ keys, label, group: commandGroups[group] }],
  ),
  { keys: 'Space', label: t('Open or close in the side panel'), group: commandGroups.list },
  { keys: 'e', label: t('Edit a cell'), group: commandGroups.list },
  { keys: 'x', label: t('Select a row'), group: commandGroups.list },
  { keys: 'Shift x', label: t('Select all rows up to this one'), group: commandGroups.list },
  { keys: 'Ctrl A', label: t('Select all rows'), group: commandGroups.list },
  { keys: 'Enter', label: t('Save a field'), group: t('Editing') },
  { keys: 'Ctrl Enter', label: t('Save a form or a note'), group: t('Editing') },
  { keys: 'Esc', label: t('Leave a field or a dialog'), group: t('Editing') },
]

const sequenceMs = 1_200

/** Recognises commands by the keys that are pressed one after the other, also while the commands change. */
export function keySequence() {
  let first: { readonly key: string; readonly at: number } | undefined
  return (commands: readonly Command[], key: string, at: number): Command | undefined => {
    const before = first !== undefined && at - first.at < sequenceMs ? `${first.key} ` : ''
    const meant = (keys: string) => commands.find((command) => command.keys === keys)
    const found = meant(`${before}${key}`) ?? meant(key)
    first = found ? undefined : { key, at }
    return found
  }
}
