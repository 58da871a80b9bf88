import { Button, Checkbox, Text } from '@mantine/core'
import classes from './scope-picker.module.css'
import { readingScopes, type ScopeGroup } from './scope-words.ts'
import { t } from './texts.ts'

interface ScopePickerProps {
  readonly groups: readonly ScopeGroup[]
  readonly chosen: ReadonlySet<string>
  readonly legend?: string
  onChange(chosen: ReadonlySet<string>): void
}

/** Lets a person choose rights, by kind of record. */
export function ScopePicker({ groups, chosen, legend = t('Rights'), onChange }: ScopePickerProps) {
  const set = (names: readonly string[], isOn: boolean) => {
    const others = [...chosen].filter((name) => !names.includes(name))
    onChange(new Set(isOn ? [...others, ...names] : others))
  }
  const all = groups.flatMap(({ scopes }) => scopes.map(({ name }) => name))
  const elsewhere = [...chosen].filter((name) => !all.includes(name))
  const only = (names: readonly string[]) => onChange(new Set([...elsewhere, ...names]))
  return (
    <fieldset className={classes.scopes}>
      <legend className={classes.legend}>{legend}</legend>
      <div className={classes.presets}>
        <Button variant="default" size="xs" onClick={() => only(readingScopes(groups))}>
          {t('Read only')}
        </Button>
        <Button variant="default" size="xs" onClick={() => only(all)}>
          {t('Everything')}
        </Button>
        <Button variant="default" size="xs" onClick={() => only([])}>
          {t('None')}
        </Button>
        <Text size="sm" c="dimmed" aria-live="polite">
          {t('{size} of {length} chosen', { size: chosen.size - elsewhere.length, length: all.length })}
        </Text>
      </div>
      <div className={classes.groups}>
        {groups.map(({ group, scopes }) => {
          const names = scopes.map(({ name }) => name)
          const on = names.filter((name) => chosen.has(name)).length
          return (
            <div key={group} role="group" aria-label={group} className={classes.group}>
              <Checkbox
                label={group}
                fw={560}
                size="xs"
                checked={on === names.length}
                indeterminate={on > 0 && on < names.length}
                onChange={(event) => set(names, event.currentTarget.checked)}
              />
              {scopes.map(({ name, description }) => (
                <Checkbox
                  key={name}
                  className={classes.scope}
                  size="xs"
                  label={description}
                  title={name}
                  checked={chosen.has(name)}
                  onChange={(event) => set([name], event.currentTarget.checked)}
                />
              ))}
            </div>
          )
        })}
      </div>
    </fieldset>
  )
}
