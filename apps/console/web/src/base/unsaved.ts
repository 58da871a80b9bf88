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
/** Whether somebody chose to lose all that is typed on the page; what they type after that counts anew. */
let isGivenUp = false

/** Watches where people type, so that their text is not lost by closing a dialog or leaving the page. */
export function watchTyping(): void {
  const remember = ({ target }: Event) => {
    if (isField(target) && !before.has(target)) before.set(target, target.value)
  }
  document.addEventListener('focusin', remember, true)
  document.addEventListener('beforeinput', remember, true)
  document.addEventListener('input', ({ target }) => {
    if (!isField(target) || isSearch(target) || !target.closest(`${forms}, ${inPlace}`)) return
    isGivenUp = false
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

/** Takes what is typed on the page for lost, because somebody chose to lose it. */
export function giveUpTyped(): void {
  isGivenUp = true
}

/** Says of an editor that knows its changes itself whether it has some; returns the function that ends that. */
export function holdUnsaved(isChanged: () => boolean): () => void {
  held.add(isChanged)
  return () => void held.delete(isChanged)
}

/** Whether a form or an editor has a text that somebody typed and that is not saved. */
export function hasUnsavedText(): boolean {
  if (isGivenUp) return false
  return hasTypedText(document) || [...typedIn(document)].some((field) => field.closest(inPlace) !== null)
}

/** Whether a form in a place has such a text; an editor in place saves by itself, and a form that is being sent leads on from its page. */
export function hasTypedText(place: ParentNode): boolean {
  if (isGivenUp) return false
  if (place === document && [...held].some((isChanged) => isChanged())) return true
  return [...typedIn(place)].some(
    (field) => field.closest(inPlace) === null && !(place === document && isBeingSent(field)),
  )
}

function isBeingSent(field: Field): boolean {
  const form = field.closest('form')
  return form !== null && sent.has(form)
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
