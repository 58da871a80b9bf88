import { element } from './ui.js'

/** Returns the fields of a link's form: name, email, phone and notes, and the link's own questions. */
function fieldsOf(ui, questions) {
  const { texts } = ui
  return [
    { key: 'name', label: texts.name, type: 'text', required: true, max: 200, extra: { autocomplete: 'name' } },
    {
      key: 'email',
      label: texts.email,
      type: 'text',
      required: true,
      max: 255,
      extra: { inputmode: 'email', autocapitalize: 'off', spellcheck: 'false', autocomplete: 'email' },
    },
    { key: 'phone', label: texts.phone, type: 'tel', max: 50, extra: { autocomplete: 'tel' } },
    ...questions.map(({ label, type, required, options }, at) => ({
      key: `answer-${at}`,
      label,
      required,
      options,
      max: 1000,
      type: { TEXT: 'text', LONG_TEXT: 'textarea', SELECT: 'select', CHECKBOX: 'checkbox' }[type],
      isAnswer: true,
    })),
    { key: 'note', label: texts.note, type: 'textarea', max: 1000, extra: {} },
  ]
}

/**
 * Makes the form for a guest's details. `written` holds the earlier entries by the keys of the fields. `onSend` receives
 * `{ name, email, phone, note, answers }` once nothing is missing.
 */
export function guestForm(ui, { questions, written, onSend }) {
  const { texts } = ui
  const fields = fieldsOf(ui, questions)

  const control = ({ key, type, options = [], max, required, extra }) => {
    const more = {
      id: key,
      name: key,
      'aria-describedby': `${key}-problem${required ? '' : ` ${key}-hint`}`,
      'aria-required': required ? 'true' : undefined,
      ...extra,
    }
    if (type === 'textarea') return element('textarea', { ...more, rows: '3', maxlength: max }, written[key])
    if (type === 'checkbox') return element('input', { ...more, type, checked: written[key] === true })
    if (type === 'select')
      return element(
        'select',
        more,
        ['', ...options].map((option) =>
          element('option', { value: option, selected: option === written[key] }, option),
        ),
      )
    return element('input', { ...more, type, maxlength: max, value: written[key] })
  }

  const row = (field) => {
    const { key, label, type, required } = field
    const hint = !required && element('span', { class: 'hint', id: `${key}-hint` }, texts.optional)
    const problem = element('p', { class: 'problem', id: `${key}-problem` })
    const named = element('label', { for: key }, label)
    return element(
      'div',
      { class: `field${type === 'checkbox' ? ' check' : ''}` },
      type === 'checkbox' ? [control(field), named, hint] : [named, hint, control(field)],
      problem,
    )
  }

  const valueOf = ({ key, type }) =>
    type === 'checkbox' ? form.elements[key].checked : form.elements[key].value.trim()

  const problemOf = (field) => {
    const { key, label, required, max } = field
    const value = valueOf(field)
    if (required && (value === '' || value === false)) return ui.fill(texts.required, { label })
    if (Array.from(String(value)).length > max) return ui.fill(texts.tooLong, { label, max })
    // The API judges the address, because it knows domains in every script.
    if (key === 'email' && !/.@./u.test(value)) return ui.fill(texts.badEmail, { label })
    return ''
  }

  /** Shows the problems under their fields and moves to the first one. */
  const mark = (problems) => {
    for (const { key } of fields) {
      form.elements[key].setAttribute('aria-invalid', String(Boolean(problems[key])))
      form.querySelector(`#${key}-problem`).textContent = problems[key] ?? ''
    }
    const first = fields.find(({ key }) => problems[key])
    if (!first) return
    ui.say('')
    form.elements[first.key].focus()
    form.elements[first.key].scrollIntoView({ block: 'center' })
  }

  /** Marks the field that the API refused. */
  const refuse = (name) => {
    const field = fields.find(({ key, isAnswer }) => (name === 'answers' ? isAnswer : key === name))
    mark({ [field.key]: ui.fill(name === 'email' ? texts.badEmail : texts.badField, { label: field.label }) })
  }

  const entries = () => Object.fromEntries(fields.map((field) => [field.key, valueOf(field)]))

  const submit = (event) => {
    event.preventDefault()
    const problems = Object.fromEntries(fields.map((field) => [field.key, problemOf(field)]))
    mark(problems)
    if (Object.values(problems).some(Boolean)) return
    const { name, email, phone, note } = entries()
    const answers = Object.fromEntries(
      fields.filter(({ isAnswer }) => isAnswer).map((field) => [field.label, valueOf(field)]),
    )
    onSend({ name, email, phone, note, ...(questions.length > 0 ? { answers } : {}) })
  }

  const send = element('button', { class: 'main' }, texts.confirmBooking)
  const form = element(
    'form',
    { novalidate: true, onsubmit: submit },
    fields.map(row),
    element('div', { class: 'row' }, send),
  )
  return { form, send, entries, refuse }
}
