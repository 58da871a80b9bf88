import { UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSession } from '../base/session.ts'
import { Icon, type IconName } from '../shell/icons.tsx'
import classes from './bottom-bar.module.css'
import type { Command } from './commands.ts'
import { destinationsFor, type Destination } from './navigation.ts'
import { NewMenu } from './new-menu.tsx'
import { t } from '../base/texts.ts'

/** The places that people go to all day, besides the lists. */
const daily: readonly string[] = ['/', '/inbox', '/tasks']

interface BottomBarProps {
  readonly commands: readonly Command[]
  onSearch(): void
  onRun(command: Command): void
}

/** What a thumb reaches on a phone: the places of a day, search, and a new record, of the kind of the page if it has one. */
export function BottomBar({ commands, onSearch, onRun }: BottomBarProps) {
  const { usable } = useSession()
  const places = destinationsFor(usable).filter(({ to }) => daily.includes(to))
  const ofPage = commands.find(({ does }) => 'runs' in does && does.runs === 'create')
  const face = (icon: IconName, text: string) => (
    <>
      <Icon name={icon} size={20} />
      <span className={classes.text}>{text}</span>
    </>
  )
  const link = ({ to, icon, label }: Destination) => (
    <Link key={to} to={to} className={classes.place} activeOptions={{ exact: to === '/' }}>
      {face(icon, label)}
    </Link>
  )
  const creating = face('plus', t('New'))
  return (
    <nav className={classes.bar} aria-label={t('Shortcuts')}>
      {places.slice(0, 1).map(link)}
      <UnstyledButton className={classes.place} onClick={onSearch}>
        {face('search', t('Search'))}
      </UnstyledButton>
      {ofPage ? (
        <UnstyledButton className={classes.place} data-main onClick={() => onRun(ofPage)}>
          {creating}
        </UnstyledButton>
      ) : (
        <NewMenu commands={commands} position="top" onRun={onRun}>
          <UnstyledButton className={classes.place} data-main>
            {creating}
          </UnstyledButton>
        </NewMenu>
      )}
      {places.slice(1).map(link)}
    </nav>
  )
}
