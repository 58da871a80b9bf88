import { useEffect, useRef, useState, type ClipboardEvent } from 'react'
import { FactEditor } from '../key-facts.tsx'
import type { AnyRecord } from '../record-calls.ts'
import type { Field, Kind } from '../record-kinds.ts'
import classes from './grid.module.css'
import { t } from '../../base/texts.ts'

interface CellEditorProps {
  readonly field: Field
  readonly kind: Kind
  readonly record: AnyRecord
  onDone(): void
  /** Goes on to the next cell after saving. */
  onNext(): void
}

/** Edits one cell above the table; a click elsewhere saves. */
export function CellEditor({ field, kind, record, onDone, onNext }: CellEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const [isTable, setTable] = useState(false)
  useEffect(() => {
    // A new browser returns a promise here, which an effect must not return in turn.
    place.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [])
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain').trim()
    const isMany = text.includes('\t') || (field.type !== 'LONG_TEXT' && /[\r\n]/.test(text))
    setTable(isMany)
    if (isMany) event.preventDefault()
  }
  return (
    <div ref={place} className={classes.editor} onPaste={paste} onDoubleClick={(event) => event.stopPropagation()}>
      <FactEditor field={field} kind={kind} record={record} onDone={onDone} onNext={onNext} isBare />
      {isTable && (
        <p role="alert" className={classes.refusedPaste}>
          {t('A cell takes one value. Use Import to add a whole table.')}
        </p>
      )}
    </div>
  )
}
