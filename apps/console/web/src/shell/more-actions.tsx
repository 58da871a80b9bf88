import { Button, Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../base/texts.ts'
import { Icon } from './icons.tsx'

/** The menu "More actions" of a page. Its children are the items. */
export function MoreActions({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="default" rightSection={<Icon name="down" size={14} />}>
          {t('More actions')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
