import { Menu, type FloatingPosition } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon } from '../shell/icons.tsx'
import type { Command } from './commands.ts'
import classes from './frame.module.css'

interface NewMenuProps {
  readonly commands: readonly Command[]
  readonly position: FloatingPosition
  /** Whether it is open, where something else opens it too. */
  readonly opened?: boolean
  /** The button that opens it. */
  readonly children: ReactNode
  onChange?(opened: boolean): void
  onRun(command: Command): void
}

/** Makes a new record from anywhere. */
export function NewMenu({ commands, children, onRun, ...menu }: NewMenuProps) {
  const creating = commands.filter(({ group, does }) => group === 'create' && !('opens' in does))
  if (creating.length === 0) return null
  return (
    <Menu {...menu} withinPortal={false}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown className={classes.creating}>
        {creating.map((command) => (
          <Menu.Item key={command.id} leftSection={<Icon name={command.icon} />} onClick={() => onRun(command)}>
            {command.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
