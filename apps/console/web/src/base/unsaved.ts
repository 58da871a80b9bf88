type Field = HTMLInputElement | HTMLTextAreaElement

/** Forms in which people type; a form that keeps its text elsewhere says so with `data-kept`. */
const forms = 'form:not([data-kept])'
/** Editors in place, which save what is in them as soon as somebody goes elsewhere. */
const inPlace = '[data-editor]'

/** What stood in a field before somebody typed in it. */
const before = new WeakMap<Field, string>()
let typed = new Set<Field>()
const sent = new Set<HTMLFormElement>()
const held = new Set<() => boolean>()

/** Watches where people type, so that their text is not lost by closing a dialog or leaving the page. */
export function watchTyping(): void {
  const remember = ({ target }: Event) => {
    if (isField(target) && !before.has(target)) before.set(target, target.value)
  }
  document.addEventListener('focusin', remember, true)
  document.addEventListener('beforeinput', remember, true)
  document.addEventListener('input', ({ target }) => {
    if (!isField(target) || isSearch(target) || !target.closest(`${forms}, ${inPlace}`)) return
    typed.add(target)
    const form = target.closest('form')
    if (form) sent.delete(form)
  })
  document.addEventListener('submit', ({ target }) => target instanceof HTMLFormElement && sent.add(target), true)
}

/** Takes the text of the forms that were sent for saved. */
export function settleSent(): void {
  for (const field of typed) {
    const form = field.closest('form')
    if (form && sent.has(form)) before.set(field, field.value)
  }
  sent.clear()
}

/** Takes the text of the forms that were sent for unsaved still, because it was refused. */
export function keepSent(): void {
  sent.clear()
}

/** Says of an editor that knows its changes itself whether it has some; returns the function that ends that. */
export function holdUnsaved(isChanged: () => boolean): () => void {
  held.add(isChanged)
  return () => void held.delete(isChanged)
}

/** Whether a form or an editor has a text that somebody typed and that is not saved. */
export function hasUnsavedText(): boolean {
  return hasTypedText(document) || [...typedIn(document)].some((field) => field.closest(inPlace) !== null)
}

/** Whether a form in a place has such a text; an editor in place saves by itself. */
export function hasTypedText(place: ParentNode): boolean {
  if (place === document && [...held].some((isChanged) => isChanged())) return true
  return [...typedIn(place)].some((field) => field.closest(inPlace) === null)
}

/** Saves what somebody types in place right now. */
export function leaveInPlace(): void {
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && activeElement.closest(inPlace)) activeElement.blur()
}

function typedIn(place: ParentNode): ReadonlySet<Field> {
  typed = new Set([...typed].filter(({ isConnected }) => isConnected))
  return new Set([...typed].filter((field) => place.contains(field) && isChanged(field)))
}

const isChanged = (field: Field) => field.value.trim() !== '' && field.value !== before.get(field)

/** What is typed in order to find a choice is no text of its own. */
const isSearch = (field: Field) => field.type === 'search' || field.getAttribute('role') === 'combobox'

const isField = (target: EventTarget | null): target is Field =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
