import { Kbd } from '@mantine/core'
import { commandGroups, keysOfPages, type Command } from './commands.ts'
import classes from './shortcuts-dialog.module.css'
import { t } from '../base/texts.ts'
import { Dialog } from '../shell/dialog.tsx'

interface ShortcutsDialogProps {
  readonly commands: readonly Command[]
  readonly opened: boolean
  onClose(): void
}

/** The list of keys with their actions. */
export function ShortcutsDialog({ commands, opened, onClose }: ShortcutsDialogProps) {
  const told = [
    ...commands.flatMap(({ keys, label, group, does }) =>
      keys === undefined || 'runs' in does ? [] : [{ keys, label, group: commandGroups[group] }],
    ),
    ...keysOfPages,
  ]
  return (
    <Dialog opened={opened} onClose={onClose} title={t('frame.keyboardShortcuts')} size="lg">
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
