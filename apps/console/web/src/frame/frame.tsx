import { ActionIcon, Burger } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import { settings } from '../base/api.ts'
import { useSession } from '../base/session.ts'
import { ColorSchemeButton } from '../shell/color-scheme-button.tsx'
import { Icon } from '../shell/icons.tsx'
import { EntityPlaces } from './entity-places.tsx'
import classes from './frame.module.css'
import { destinationsFor, type Destination } from './navigation.ts'

/** What surrounds every page behind the sign-in. */
export function Frame() {
  const [isOpen, setOpen] = useState(false)
  const { person } = useSession()
  const close = () => setOpen(false)
  return (
    <div className={classes.frame}>
      <a href="#main" className="skip-link">
        Skip to the content
      </a>
      <header className={classes.topbar}>
        <Burger
          opened={isOpen}
          onClick={() => setOpen(!isOpen)}
          size="sm"
          aria-label={isOpen ? 'Close the navigation' : 'Open the navigation'}
          aria-expanded={isOpen}
        />
        <span className={classes.workspace}>{person.workspace.name}</span>
      </header>
      <aside aria-label="Workspace" className={classes.side} data-open={isOpen}>
        <div className={classes.brand} title={person.workspace.name}>
          <span className={classes.mark} aria-hidden="true">
            {person.workspace.name.charAt(0).toUpperCase()}
          </span>
          <span className={classes.workspace}>{person.workspace.name}</span>
        </div>
        <Navigation onGo={close} />
        <Foot />
      </aside>
      {isOpen && <div className={classes.veil} onClick={close} aria-hidden="true" />}
      <main id="main" tabIndex={-1} className={classes.main}>
        <Outlet />
      </main>
    </div>
  )
}

function Navigation({ onGo }: { onGo(): void }) {
  const { usable } = useSession()
  const groups = Map.groupBy(destinationsFor(usable), ({ group }) => group)
  const entities = <EntityPlaces className={classes.place} groupClassName={classes.group} onGo={onGo} />
  return (
    <nav aria-label="Main" className={classes.nav}>
      {[...groups].map(([group, places]) => (
        <Fragment key={group}>
          <div role="group" aria-label={group}>
            <div className={classes.group} aria-hidden="true">
              {group}
            </div>
            {places.map((place) => (
              <Place key={place.to} place={place} onGo={onGo} />
            ))}
          </div>
          {group === 'Work' && entities}
        </Fragment>
      ))}
      {!groups.has('Work') && entities}
      <div role="group" aria-label="Developers">
        <div className={classes.group} aria-hidden="true">
          Developers
        </div>
        <Link to="/docs" className={classes.place} onClick={onGo}>
          <Icon name="docs" />
          API reference
        </Link>
      </div>
    </nav>
  )
}

function Place({ place: { to, label, icon }, onGo }: { readonly place: Destination; onGo(): void }) {
  return (
    <Link to={to} search={{}} className={classes.place} activeOptions={{ includeSearch: false }} onClick={onGo}>
      <Icon name={icon} />
      {label}
    </Link>
  )
}

function Foot() {
  const { person } = useSession()
  const navigate = useNavigate()
  const client = useQueryClient()
  const signOut = useMutation({
    mutationFn: () => settings.sessions.logout(),
    onSettled: async () => {
      await navigate({ to: '/login', search: {} })
      client.clear()
    },
  })
  return (
    <div className={classes.foot}>
      <div className={classes.person}>
        <div className={classes.name}>{person.name}</div>
        <div className={classes.email} title={person.email}>
          {person.email}
        </div>
      </div>
      <ColorSchemeButton />
      <ActionIcon aria-label="Sign out" title="Sign out" loading={signOut.isPending} onClick={() => signOut.mutate()}>
        <Icon name="leave" />
      </ActionIcon>
    </div>
  )
}
