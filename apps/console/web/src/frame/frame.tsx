import { Burger, UnstyledButton } from '@mantine/core'
import { useHotkeys, useLocalStorage } from '@mantine/hooks'
import { Outlet, useLocation, useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../base/session.ts'
import { RecordForm } from '../records/later-record-form.ts'
import { useAskedElsewhere } from '../records/next-steps.ts'
import { runOnNextPage, runPageCommand, useOfferedCommands, type PageCommandId } from '../records/page-commands.ts'
import { useKinds } from '../records/record-kinds.ts'
import { kindAt } from '../records/record-place.ts'
import { Icon } from '../shell/icons.tsx'
import { LeaveGuard } from '../shell/leave-guard.tsx'
import { later } from '../shell/later.tsx'
import { typeAhead } from '../shell/type-ahead.ts'
import { undoLast } from '../shell/undo.ts'
import { useThemeOfAccount } from '../shell/use-preferences.ts'
import { AccountMenu } from './account-menu.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { commandsFor, type Command } from './commands.ts'
import classes from './frame.module.css'
import { MainNavigation, SettingsNavigation } from './main-navigation.tsx'
import { isSettings } from './navigation.ts'
import { NewMenu } from './new-menu.tsx'
import { ReauthenticationDialog } from './reauthentication-dialog.tsx'
import { ViewAsBanner } from './view-as-banner.tsx'
import { useCommandKeys } from './use-command-keys.ts'
import { useLiveChanges } from './use-live-changes.ts'
import { t } from '../base/texts.ts'

const CommandMenu = later(async () => (await import('./command-menu.tsx')).CommandMenu)
const NextStepDialog = later(async () => (await import('../domain/tasks/new-task.tsx')).NextStepDialog)
const SidePanel = later(
  async () => (await import('./side-panel.tsx')).SidePanel,
  () => null,
)
const ShortcutsDialog = later(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog)

type Opened = 'menu' | 'keys' | 'new' | { readonly creates: string } | null

/** The frame around every page behind the sign-in. */
export function Frame() {
  const [isOpen, setOpen] = useState(false)
  const [opened, setOpened] = useState<Opened>(null)
  const [isNarrow, setNarrow] = useLocalStorage({ key: 'crm:sidebar', defaultValue: false })
  const { usable } = useSession()
  const { pathname } = useLocation()
  const { history } = useRouter()
  const { peek }: { readonly peek?: string } = useSearch({ strict: false })
  const peekedKind = peek === undefined ? undefined : kindAt(pathname)
  const commands = commandsFor(usable, useKinds(), useOfferedCommands())
  const asked = useAskedElsewhere()
  useLiveChanges()
  useThemeOfAccount()
  const close = () => setOpen(false)
  const go = (path: string) => history.push(path)
  const shut = () => setOpened(null)
  const open = (next: Exclude<Opened, null>) => {
    const isTyped = next === 'menu' || typeof next === 'object'
    // In a menu that is there already, nothing gets the focus anew.
    if (isTyped && next !== opened) typeAhead(shut)
    setOpened(next)
  }
  const run = ({ does }: Command) => {
    close()
    if ('goesTo' in does) return go(does.goesTo)
    if ('folds' in does) return setNarrow(!isNarrow)
    if ('runs' in does) {
      shut()
      return runPageCommand(does.runs)
    }
    if ('undoes' in does) {
      shut()
      return undoLast()
    }
    open('opens' in does ? does.opens : does)
  }
  const runOn = (path: string, id: PageCommandId) => {
    if (path === pathname) return runPageCommand(id)
    runOnNextPage(id)
    go(path)
  }
  const search = () => {
    close()
    open('menu')
  }
  useHotkeys([['mod+K', search]], [], true)
  useCommandKeys(commands, run)
  return (
    <div className={classes.frame} data-narrow={isNarrow}>
      <a href="#main" className="skip-link">
        {t('Skip to the content')}
      </a>
      <TopBar isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      <Sidebar
        isOpen={isOpen}
        isNarrow={isNarrow}
        commands={commands}
        isNew={opened === 'new'}
        onNew={(isNew) => setOpened((now) => (isNew ? 'new' : now === 'new' ? null : now))}
        onSearch={search}
        onRun={run}
        onGo={close}
        onShowKeys={() => setOpened('keys')}
        onFold={() => setNarrow(!isNarrow)}
      />
      {isOpen && <div className={classes.veil} onClick={close} aria-hidden="true" />}
      <main id="main" tabIndex={-1} className={classes.main}>
        <ViewAsBanner />
        <Outlet />
      </main>
      {!isOpen && <BottomBar commands={commands} onSearch={search} onRun={run} />}
      {peek !== undefined && peekedKind !== undefined && (
        <SidePanel record={{ entityType: peekedKind, entityId: peek }} />
      )}
      <LeaveGuard />
      <ReauthenticationDialog />
      {asked && <NextStepDialog asked={asked} />}
      {opened === 'menu' && (
        <CommandMenu commands={commands} opened onRun={run} onGo={go} onRunOn={runOn} onClose={shut} />
      )}
      {opened === 'keys' && <ShortcutsDialog commands={commands} opened onClose={shut} />}
      {opened !== null && typeof opened === 'object' && (
        <RecordForm entityType={opened.creates} opened onClose={shut} />
      )}
    </div>
  )
}

interface TopBarProps {
  /** Whether the navigation is shown. */
  readonly isOpen: boolean
  onToggle(): void
}

/** Opens the navigation on a small screen. */
function TopBar({ isOpen, onToggle }: TopBarProps) {
  const { person } = useSession()
  return (
    <header className={classes.topbar}>
      <Burger
        opened={isOpen}
        onClick={onToggle}
        size="sm"
        aria-label={isOpen ? t('Close the navigation') : t('Open the navigation')}
        aria-expanded={isOpen}
      />
      <span className={classes.workspace}>{person.workspace.name}</span>
    </header>
  )
}

interface SidebarProps {
  /** Whether it is shown on a small screen. */
  readonly isOpen: boolean
  readonly isNarrow: boolean
  readonly commands: readonly Command[]
  /** Whether the menu of new records is open. */
  readonly isNew: boolean
  onNew(isNew: boolean): void
  onSearch(): void
  onRun(command: Command): void
  onGo(): void
  onShowKeys(): void
  onFold(): void
}

/** The workspace, search, the places of the console and the account. */
function Sidebar({
  isOpen,
  isNarrow,
  commands,
  isNew,
  onNew,
  onSearch,
  onRun,
  onGo,
  onShowKeys,
  onFold,
}: SidebarProps) {
  const { person } = useSession()
  const { pathname } = useLocation()
  const Places = isSettings(pathname) ? SettingsNavigation : MainNavigation
  return (
    <aside aria-label={t('Workspace')} className={classes.side} data-open={isOpen}>
      <div className={classes.brand} title={person.workspace.name}>
        <span className={classes.mark} aria-hidden="true">
          {person.workspace.name.charAt(0).toUpperCase()}
        </span>
        <span className={classes.workspace}>{person.workspace.name}</span>
      </div>
      <div className={classes.tools}>
        <UnstyledButton className={classes.search} data-keys={'Ctrl K'} onClick={onSearch}>
          <Icon name="search" size={16} />
          <span className={classes.text}>{t('Search')}</span>
        </UnstyledButton>
        <NewMenu commands={commands} position="bottom-start" opened={isNew} onChange={onNew} onRun={onRun}>
          <UnstyledButton className={classes.new} aria-label={t('New')}>
            <Icon name="plus" size={16} />
          </UnstyledButton>
        </NewMenu>
      </div>
      <Places onGo={onGo} />
      <AccountMenu onGo={onGo} onShowKeys={onShowKeys} />
      <UnstyledButton
        className={classes.collapse}
        data-keys="["
        aria-expanded={!isNarrow}
        aria-label={t(isNarrow ? 'Expand sidebar' : 'Collapse sidebar')}
        title={t(isNarrow ? 'Expand sidebar' : 'Collapse sidebar')}
        onClick={onFold}
      >
        <Icon name={isNarrow ? 'right' : 'left'} size={16} />
      </UnstyledButton>
    </aside>
  )
}
