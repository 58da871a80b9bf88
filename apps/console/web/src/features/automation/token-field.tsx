import { Input } from '@mantine/core'
import { useEffect, useId, useLayoutEffect, useRef, type KeyboardEvent } from 'react'
import classes from './automation.module.css'
import { DataPicker } from './data-picker.tsx'
import { expressionName, partsOf, type Variable } from './variables.ts'

interface TokenFieldProps {
  readonly label: string
  readonly value: string
  readonly variables: readonly Variable[]
  readonly error?: string | undefined
  readonly description?: string
  /** Whether the text can have several lines. */
  readonly isLong?: boolean
  onChange(value: string): void
}

/** A text in which data of the trigger and of earlier steps is shown as chips, such as “Lead › Email”. */
export function TokenField({ label, value, variables, error, description, isLong = false, onChange }: TokenFieldProps) {
  const id = useId()
  const editor = useRef<HTMLDivElement>(null)
  /** The place of the caret in the value; null before the first visit. */
  const caret = useRef<number | null>(null)
  /** Where the caret goes once the inserted data is shown. */
  const next = useRef<number | null>(null)
  // Chips get other names when the data that they stand for is known.
  const shown = partsOf(value)
    .map((part) => ('text' in part ? part.text : expressionName(part.expression, variables)))
    .join('\u0000')
  useLayoutEffect(() => {
    const element = editor.current
    if (element === null) return
    const isSame = valueOf(element) === value
    // While somebody types, the text is theirs.
    if (!isSame || (element.dataset['shown'] !== shown && document.activeElement !== element))
      fill(element, value, variables)
    element.dataset['shown'] = shown
    if (next.current === null) return
    element.focus()
    placeCaret(element, next.current)
    next.current = null
  })
  useEffect(() => {
    const remember = () => {
      const selection = document.getSelection()
      if (editor.current?.contains(selection?.anchorNode ?? null) && selection?.rangeCount)
        caret.current = caretIn(editor.current, selection.getRangeAt(0))
    }
    document.addEventListener('selectionchange', remember)
    return () => document.removeEventListener('selectionchange', remember)
  }, [])
  const insert = ({ path }: Variable) => {
    const at = Math.min(caret.current ?? value.length, value.length)
    const expression = `{{${path}}}`
    next.current = at + expression.length
    onChange(value.slice(0, at) + expression + value.slice(at))
  }
  const keepOneLine = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !isLong) event.preventDefault()
  }
  return (
    <div>
      <Input.Label id={id} labelElement="div">
        {label}
      </Input.Label>
      {description !== undefined && <Input.Description>{description}</Input.Description>}
      <div className={classes.tokens} data-error={error !== undefined}>
        <div
          ref={editor}
          className={classes.tokenText}
          data-long={isLong}
          role="textbox"
          tabIndex={0}
          contentEditable="plaintext-only"
          suppressContentEditableWarning
          spellCheck={false}
          aria-labelledby={id}
          aria-multiline={isLong}
          aria-invalid={error !== undefined}
          onKeyDown={keepOneLine}
          onInput={(event) => onChange(valueOf(event.currentTarget))}
          onBlur={(event) => fill(event.currentTarget, value, variables)}
        />
        <DataPicker label={label} variables={variables} onPick={insert} />
      </div>
      {error !== undefined && <Input.Error role="alert">{error}</Input.Error>}
    </div>
  )
}

function chipOf(expression: string, variables: readonly Variable[]): HTMLElement {
  const chip = document.createElement('span')
  chip.className = classes.token ?? ''
  chip.contentEditable = 'false'
  chip.dataset['expression'] = expression
  chip.textContent = expressionName(expression, variables)
  return chip
}

function fill(element: HTMLElement, value: string, variables: readonly Variable[]): void {
  element.replaceChildren(
    ...partsOf(value).map((part) => ('text' in part ? part.text : chipOf(part.expression, variables))),
  )
}

/** Returns the text of the editor, with the chips as expressions again. */
function valueOf(element: Node): string {
  return [...element.childNodes].map(valueOfNode).join('')
}

function valueOfNode(node: Node): string {
  if (node instanceof HTMLBRElement) return '\n'
  if (!(node instanceof HTMLElement)) return node.textContent ?? ''
  const { expression } = node.dataset
  return expression === undefined ? valueOf(node) : `{{${expression}}}`
}

/** Returns the place of a caret in the value of the editor. */
function caretIn(element: Node, range: Range): number {
  const before = document.createRange()
  before.selectNodeContents(element)
  before.setEnd(range.endContainer, range.endOffset)
  return valueOf(before.cloneContents()).length
}

function placeCaret(element: Node, at: number): void {
  const range = document.createRange()
  range.selectNodeContents(element)
  range.collapse(false)
  let left = at
  for (const node of element.childNodes) {
    const { length } = valueOfNode(node)
    if (node instanceof Text && left <= length) {
      range.setStart(node, left)
      break
    }
    left -= length
    if (left <= 0) {
      range.setStartAfter(node)
      break
    }
  }
  range.collapse(true)
  const selection = document.getSelection()
  selection?.removeAllRanges()
  selection?.addRange(range)
}
