/** Forms and editors in which somebody typed; a form that keeps its text elsewhere says so with `data-kept`. */
const editors = 'form:not([data-kept]), [data-editor]'

/** Marks the form or the editor that somebody types in, so that its text is not lost by leaving the page. */
export function watchTyping(): void {
  document.addEventListener('input', ({ target }) => {
    const editor = target instanceof Element ? target.closest<HTMLElement>(editors) : null
    if (editor) editor.dataset['unsaved'] = 'true'
  })
}

/** Whether a form or an editor on the page has a text that somebody typed. */
export function hasUnsavedText(): boolean {
  return [...document.querySelectorAll<HTMLElement>('[data-unsaved]')].some((editor) =>
    [...editor.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input:not([type=hidden]), textarea')].some(
      ({ value }) => value.trim() !== '',
    ),
  )
}
