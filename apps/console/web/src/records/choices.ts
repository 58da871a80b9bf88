import { t } from '../base/texts.ts'

interface Named {
  readonly id: string
  readonly name: string
}

/** Returns choices by name; the present one is included even for people who may not see the others. */
export function choicesOf(all: readonly Named[], present: string | null | undefined, none = t('None')) {
  const known = [{ value: '', label: none }, ...all.map(({ id, name }) => ({ value: id, label: name }))]
  return present && !all.some(({ id }) => id === present)
    ? [...known, { value: present, label: t('Unchanged') }]
    : known
}

/** Returns the choices of a currency; an empty value stands for the workspace's currency. */
export function currencyChoices(
  all: readonly { readonly code: string; readonly name: string }[],
  present: string | undefined,
) {
  const known = all.map(({ code, name }) => ({ value: code, label: `${code} · ${name}` }))
  const first = present === undefined ? [{ value: '', label: t('Workspace default') }] : []
  return present && !all.some(({ code }) => code === present)
    ? [{ value: present, label: present }, ...known]
    : [...first, ...known]
}
