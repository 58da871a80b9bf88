import { Kbd, TextInput } from '@mantine/core'
import { useState } from 'react'
import { commandGroups, keysOfPages, type Command } from './commands.ts'
import { startWords } from './start-words.ts'
import classes from './shortcuts-dialog.module.css'
import { t } from '../base/texts.ts'
import { Dialog } from '../shell/dialog.tsx'
import { Icon } from '../shell/icons.tsx'

interface ShortcutsDialogProps {
  readonly commands: readonly Command[]
  readonly opened: boolean
  onClose(): void
}

/** The list of keys with their actions, narrowed by what a person types. */
export function ShortcutsDialog({ commands, opened, onClose }: ShortcutsDialogProps) {
  const [wanted, setWanted] = useState('')
  const told = [
    ...commands.flatMap(({ keys, label, group, does }) =>
      keys === undefined || 'runs' in does ? [] : [{ keys, label, group: commandGroups[group] }],
    ),
    ...keysOfPages,
  ].filter(({ label, group, keys }) => startWords(`${label} ${group}`, wanted) || keys === wanted.trim())
  return (
    <Dialog opened={opened} onClose={onClose} title={t('Keyboard shortcuts')} size="lg">
      <TextInput
        type="search"
        data-autofocus
        mb="md"
        aria-label={t('Search')}
        placeholder={t('Search')}
        leftSection={<Icon name="search" size={16} />}
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <p role="status" className={classes.none}>
        {told.length === 0 && t('Nothing found')}
      </p>
      <div className={classes.groups}>
        {[...Map.groupBy(told, ({ group }) => group)].map(([group, keys]) => (
          <section key={group} aria-label={group}>
            <h3 className={classes.group}>{group}</h3>
            <dl className={classes.keys}>
              {keys.map(({ label, keys: pressed }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>
                    {pressed.split(' ').map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
