import { Menu, UnstyledButton, useComputedColorScheme } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { settings } from '../base/api.ts'
import { forgetTab } from '../base/forget.ts'
import { useSession } from '../base/session.ts'
import { Avatar } from '../shell/avatar.tsx'
import { unlessTyped } from '../shell/discarding.tsx'
import { Icon } from '../shell/icons.tsx'
import { usePreferences } from '../shell/use-preferences.ts'
import classes from './frame.module.css'
import { t } from '../base/texts.ts'

interface AccountMenuProps {
  onGo(): void
  onShowKeys(): void
}

/** The menu of the person: their profile, the look of the console, its keys, and signing out. */
export function AccountMenu({ onGo, onShowKeys }: AccountMenuProps) {
  const { person } = useSession()
  const { change } = usePreferences()
  const isDark = useComputedColorScheme('light') === 'dark'
  const navigate = useNavigate()
  const signOut = useMutation({
    mutationFn: () => settings.sessions.logout(),
    onSettled: async (answer) => {
      const elsewhere = answer?.data.redirectTo
      if (elsewhere) return window.location.assign(elsewhere)
      await navigate({ to: '/sign-in', search: {} })
      forgetTab()
    },
  })
  return (
    <Menu position="top-start" width={220} withinPortal={false}>
      <Menu.Target>
        <UnstyledButton className={classes.account}>
          <Avatar name={person.name} personId={person.id} />
          <span className={classes.person}>
            <span className={classes.name}>{person.name}</span>
            <span className={classes.email}>{person.email}</span>
          </span>
          <span className={classes.chevron}>
            <Icon name="up" size={16} />
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Icon name="person" />} component={Link} to="/settings/profile" onClick={onGo}>
          {t('Profile')}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name={isDark ? 'sun' : 'moon'} />}
          onClick={() => change({ theme: isDark ? 'light' : 'dark' })}
        >
          {isDark ? t('Use light colors') : t('Use dark colors')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="key" />} onClick={onShowKeys}>
          {t('Keyboard shortcuts')}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="docs" />} component={Link} to="/docs" onClick={onGo}>
          {t('API reference')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<Icon name="leave" />}
          disabled={signOut.isPending}
          onClick={() => unlessTyped(document, () => signOut.mutate())}
        >
          {t('Sign out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
