import { forgetsWithPerson } from '../base/forget.ts'

/** A field that did not open within this time will not. */
const keptMs = 5_000

/** The parts of a page that handle keys themselves once they have the focus. */
const openings = '[role=dialog], [role=menu], [role=listbox]'

let stopKeeping: (() => void) | undefined
forgetsWithPerson(() => stopKeeping?.())

/**
 * Keeps the text that a person types on while a field is being opened, and puts it into the field as soon as that has the focus. Call it
 * before the field is opened. Until then keys would reach the page, whose commands they might run.
 */
export function typeAhead(onEscape?: () => void): void {
  if (stopKeeping) return
  let text = ''
  let replaces = false
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) return
    if (event.key === 'Escape') {
      stop()
      onEscape?.()
      return
    }
    // AltGr counts as Ctrl and Alt on some systems, and writes letters.
    const isCommand = (event.ctrlKey || event.metaKey) && !event.getModifierState('AltGraph')
    const selectsAll = isCommand && event.key === 'a'
    if (isCommand && !selectsAll) return
    event.preventDefault()
    event.stopPropagation()
    if (selectsAll) [replaces, text] = [true, '']
    else if (event.key === 'Backspace') text = text.slice(0, -1)
    else if (event.key.length === 1) text += event.key
  }
  const arrive = ({ target }: FocusEvent) => {
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    if (!isField && !(target instanceof Element && target.closest(openings))) return
    // Some fields select their text when they get the focus, and that comes first.
    queueMicrotask(() => {
      stop()
      const typed = text
      text = ''
      if (isField && replaces) target.select()
      // Like typing, this replaces what is selected, can be undone, and reaches every kind of field.
      if (isField && typed !== '') document.execCommand('insertText', false, typed)
    })
  }
  const stop = () => {
    stopKeeping = undefined
    clearTimeout(timer)
    document.removeEventListener('keydown', press, true)
    document.removeEventListener('focusin', arrive)
    document.removeEventListener('pointerdown', stop, true)
  }
  stopKeeping = stop
  const timer = setTimeout(stop, keptMs)
  document.addEventListener('keydown', press, true)
  document.addEventListener('focusin', arrive)
  document.addEventListener('pointerdown', stop, true)
}
