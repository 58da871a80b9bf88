import { ActionIcon, UnstyledButton } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useDirectory } from '../base/people.ts'
import { useSession } from '../base/session.ts'
import { useUnread } from '../base/unread.ts'
import { headingOf, isFurther, useKinds, type Kind } from '../records/record-kinds.ts'
import { listOf } from '../records/record-place.ts'
import { Icon, type IconName } from '../shell/icons.tsx'
import { usePin, usePinned } from '../shell/pins.ts'
import classes from './frame.module.css'
import {
  destinationsFor,
  endGroup,
  foldedGroups,
  groupNames,
  openGroups,
  settingsGroups,
  type Destination,
  type Group as GroupName,
} from './navigation.ts'
import { useKnownPlaces } from './places.ts'
import { useFolds } from './use-folds.ts'
import { t } from '../base/texts.ts'

interface NavigationProps {
  onGo(): void
}

/** The links to everyday work; the less frequent ones unfold. */
export function MainNavigation({ onGo }: NavigationProps) {
  const { usable } = useSession()
  const groups = Map.groupBy(destinationsFor(usable), ({ group }) => group)
  const further = useKinds().filter(isFurther)
  const { pathname } = useLocation()
  // Pictures of people stand on nearly every page; the people come together with the number of unread notifications.
  useDirectory()
  const placesOf = (group: Destination['group']) =>
    (groups.get(group) ?? []).map((place) => <Place key={place.to} place={place} onGo={onGo} />)
  const isIn = (group: Destination['group']) =>
    (groups.get(group) ?? []).some(({ to }) => to !== '/' && pathname.startsWith(to)) ||
    (group === 'more' && further.some(({ key }) => pathname.startsWith(listOf(key))))
  return (
    <nav aria-label={t('Main')} className={classes.nav}>
      {openGroups.map((group) => (
        <Group key={group} label={groupNames[group]}>
          {placesOf(group)}
        </Group>
      ))}
      <Pinned onGo={onGo} />
      {foldedGroups.map((group) => {
        const entities = (group === 'more' ? further : []).map((kind) => (
          <FurtherPlace key={kind.key} kind={kind} onGo={onGo} />
        ))
        const places = (groups.get(group) ?? []).map(({ to, label, icon }) => (
          <PinnablePlace key={to} path={to} label={label} icon={icon} onGo={onGo} />
        ))
        if (places.length + entities.length === 0) return null
        return (
          <Fold key={group} group={group} isHere={isIn(group)}>
            {entities}
            {places}
          </Fold>
        )
      })}
      <div className={classes.apart}>
        {placesOf(endGroup)}
        <Link to="/settings/profile" className={classes.place} onClick={onGo}>
          <Icon name="attribute" />
          <span className={classes.text}>{t('Settings')}</span>
        </Link>
      </div>
    </nav>
  )
}

/** The links to the pages of the settings, which have their own navigation. */
export function SettingsNavigation({ onGo }: NavigationProps) {
  const { usable } = useSession()
  const groups = Map.groupBy(destinationsFor(usable), ({ group }) => group)
  return (
    <nav aria-label={t('Settings')} className={classes.nav}>
      <Link to="/" className={classes.place} onClick={onGo}>
        <Icon name="left" />
        <span className={classes.text}>{t('Back to app')}</span>
      </Link>
      {settingsGroups.map((group) => {
        const places = groups.get(group) ?? []
        if (places.length === 0) return null
        return (
          <Group key={group} label={groupNames[group]}>
            {places.map((place) => (
              <Place key={place.to} place={place} onGo={onGo} />
            ))}
          </Group>
        )
      })}
    </nav>
  )
}

/** What the person has pinned: pages and views. */
function Pinned({ onGo }: NavigationProps) {
  const pinned = usePinned()
  const known = useKnownPlaces({ withViews: pinned.some((path) => path.includes('?')) })
  const shown = pinned.flatMap((path) => known.find((place) => place.path === path) ?? [])
  if (shown.length === 0) return null
  return (
    <Group label={t('Pinned')}>
      {shown.map(({ path, label, icon }) => (
        <PinnablePlace key={path} path={path} label={label} icon={icon} onGo={onGo} />
      ))}
    </Group>
  )
}

interface PinnableProps extends NavigationProps {
  readonly path: string
  readonly label: string
  readonly icon: IconName
}

/** A link with the button that pins it, or takes it off. */
function PinnablePlace({ path, label, icon, onGo }: PinnableProps) {
  const { isPinned, toggle } = usePin(path)
  const [to, search] = path.split('?')
  const verb = t(isPinned ? 'Unpin {label}' : 'Pin {label}', { label })
  return (
    <div className={classes.pinnable}>
      <Link
        to={to}
        search={Object.fromEntries(new URLSearchParams(search)) as never}
        className={classes.place}
        title={label}
        activeOptions={{ includeSearch: search !== undefined, exact: false }}
        onClick={onGo}
      >
        <Icon name={icon} />
        <span className={classes.text}>{label}</span>
      </Link>
      <ActionIcon size="sm" className={classes.pin} data-on={isPinned} aria-label={verb} title={verb} onClick={toggle}>
        <Icon name="pin" size={14} />
      </ActionIcon>
    </div>
  )
}

function Group({ label, children }: { readonly label: string | undefined; readonly children: ReactNode }) {
  if (label === undefined) return <div className={classes.first}>{children}</div>
  return (
    <div role="group" aria-label={label}>
      <div className={classes.group} aria-hidden="true">
        {label}
      </div>
      {children}
    </div>
  )
}

interface FoldProps {
  readonly group: GroupName
  /** Whether the open page belongs to the group, which is then unfolded. */
  readonly isHere: boolean
  readonly children: ReactNode
}

function Fold({ group, isHere, children }: FoldProps) {
  const [isUnfolded, setUnfolded] = useFolds(group)
  const label = groupNames[group]
  const isOpen = isUnfolded || isHere
  return (
    <div role="group" aria-label={label}>
      <UnstyledButton className={classes.fold} aria-expanded={isOpen} onClick={() => setUnfolded(!isOpen)}>
        <span className={classes.text}>{label}</span>
        <Icon name="right" size={14} />
      </UnstyledButton>
      {isOpen && children}
    </div>
  )
}

function Place({ place, onGo }: NavigationProps & { readonly place: Destination }) {
  return place.to === '/inbox' ? <InboxPlace place={place} onGo={onGo} /> : <PlainPlace place={place} onGo={onGo} />
}

function InboxPlace(props: NavigationProps & { readonly place: Destination }) {
  return <PlainPlace {...props} unread={useUnread()} />
}

const unreadShownMax = 99

interface PlaceProps extends NavigationProps {
  readonly place: Destination
  readonly unread?: number
}

function PlainPlace({ place: { to, label, icon }, onGo, unread = 0 }: PlaceProps) {
  return (
    <Link
      to={to}
      search={{}}
      className={classes.place}
      title={label}
      {...(unread > 0 ? { 'aria-label': t('{label}, {unread} unread', { label, unread }) } : {})}
      activeOptions={{ includeSearch: false, exact: to === '/' }}
      onClick={onGo}
    >
      <Icon name={icon} />
      <span className={classes.text}>{label}</span>
      {unread > 0 && (
        <span className={classes.unread} aria-hidden="true">
          {/* The space keeps what is seen, “Inbox 1”, a part of the name, “Inbox, 1 unread”. */}
          {` ${unread > unreadShownMax ? `${unreadShownMax}+` : unread}`}
        </span>
      )}
    </Link>
  )
}

function FurtherPlace({ kind, onGo }: NavigationProps & { readonly kind: Kind }) {
  return <PinnablePlace path={listOf(kind.key)} label={headingOf(kind)} icon="records" onGo={onGo} />
}
