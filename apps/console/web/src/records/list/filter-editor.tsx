import { Button } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react'
import { t } from '../../base/texts.ts'
import { Icon } from '../../shell/icons.tsx'
import type { Kind } from '../record-kinds.ts'
import {
  Conditions,
  conditionsIn,
  conditionsMax,
  draftOf,
  problemsIn,
  wireOf,
  type Draft,
} from './filter-conditions.tsx'
import { emptyRow } from './filter-rows.tsx'
import { membersOf, type WireGroup } from './list-address.ts'
import classes from './list-filters.module.css'

const typingPauseMs = 250

interface FilterEditorProps {
  readonly id: string
  readonly kind: Kind
  readonly group: WireGroup | undefined
  /** The place of the condition that somebody wants to change; undefined for a new one. */
  readonly at: number | undefined
  /** Is told of each change at once; the first one is a step that Back undoes. */
  onChange(group: WireGroup | undefined, how: { readonly replace: boolean }): void
  /** Opens the dialog for groups of conditions. */
  onGroups(): void
  onClose(): void
}

/** The conditions of a list while somebody changes them, between its bar and its rows, which follow at once. */
export function FilterEditor({ id, kind, group, at, onChange, onGroups, onClose }: FilterEditorProps) {
  const [begun] = useState(() => beginningOf(group, kind, at))
  const [draft, setDraft] = useState(begun.draft)
  const [openRow, setOpenRow] = useState(begun.openRow)
  const [problems, setProblems] = useState<ReadonlyMap<number, string>>(new Map())
  const groups = (group ? membersOf(group) : []).filter((member) => !('field' in member))
  const tell = useTelling(group, onChange, onClose)
  const tellSoon = useDebouncedCallback((next: Draft) => tell(wireOf(next, [...conditionsIn(next), ...groups])), {
    delay: typingPauseMs,
  })
  const change = (next: Draft) => {
    setDraft(next)
    setProblems(new Map())
    tellSoon(next)
  }
  const add = () => {
    const row = emptyRow()
    setOpenRow(row.id)
    setDraft({ ...draft, rows: [...draft.rows, row] })
  }
  const close = () => {
    tellSoon.flush()
    onClose()
  }
  const finish = (event: FormEvent) => {
    event.preventDefault()
    const wrong = problemsIn([draft])
    setProblems(wrong)
    if (wrong.size === 0) close()
  }
  const closeByKey = (event: KeyboardEvent) => {
    // The choices of a field close first.
    const isOfField = (event.target as HTMLElement).dataset['mantineStopPropagation'] === 'true'
    if (event.key === 'Escape' && !isOfField) close()
  }
  const isFull = draft.rows.length + groups.length >= conditionsMax
  return (
    <div id={id} role="dialog" aria-label={t('Filter')} onKeyDown={closeByKey}>
      <form className={classes.editor} data-kept noValidate onSubmit={finish}>
        <Conditions
          draft={draft}
          kind={kind}
          isStrict={false}
          problems={problems}
          isAlone={groups.length === 0}
          openRow={openRow}
          onChange={change}
          onEmpty={close}
        />
        <div className={classes.editorActions}>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<Icon name="plus" size={14} />}
            disabled={isFull}
            onClick={add}
          >
            {t('Add condition')}
          </Button>
          <Button variant="subtle" size="compact-sm" disabled={isFull} onClick={onGroups}>
            {t('Add group')}
          </Button>
          <Button type="submit" variant="default" size="xs" className={classes.finish}>
            {t('Apply')}
          </Button>
        </div>
      </form>
    </div>
  )
}

/** Returns the conditions as they are written at first, and the row that is open: the wanted one, or a new one at the end. */
function beginningOf(group: WireGroup | undefined, kind: Kind, at: number | undefined) {
  const draft = draftOf(group, kind)
  const wanted = at === undefined ? draft.rows.find(({ field }) => field === undefined) : draft.rows[at]
  if (wanted !== undefined) return { draft, openRow: wanted.id }
  const row = emptyRow()
  return { draft: { ...draft, rows: [...draft.rows, row] }, openRow: row.id }
}

/** Returns the function that tells the list its conditions, and closes the editor when something else changes them. */
function useTelling(
  group: WireGroup | undefined,
  onChange: FilterEditorProps['onChange'],
  onClose: () => void,
): (group: WireGroup | undefined) => void {
  const shown = textOf(group)
  const told = useRef({ text: shown, isShown: true, times: 0 })
  useEffect(() => {
    if (shown === told.current.text) told.current.isShown = true
    // What was told before may still be on its way.
    else if (told.current.isShown) onClose()
  }, [shown, onClose])
  return (next) => {
    const { text, times } = told.current
    if (textOf(next) === text) return
    told.current = { text: textOf(next), isShown: false, times: times + 1 }
    onChange(next, { replace: times > 0 })
  }
}

function textOf(group: WireGroup | undefined): string {
  return JSON.stringify(group ?? null)
}
