import { queryOptions } from '@tanstack/react-query'
import { crm } from './api.ts'
import { language } from './texts.ts'

/** The currencies that exist today, as the service knows them: a browser knows ended ones, and lacks new ones. */
export const knownCurrenciesQuery = queryOptions({
  queryKey: ['known-currencies'],
  queryFn: async ({ signal }) => (await crm.currencies.known({ signal })).data,
  staleTime: Infinity,
})

/** Returns the choices of a currency, with the present one even where it has ended. */
export function currencyChoices(
  known: readonly { readonly code: string; readonly name: string }[],
  present: string,
): { readonly value: string; readonly label: string }[] {
  const inWords = new Intl.DisplayNames(language, { type: 'currency', fallback: 'none' })
  const all = known.some(({ code }) => code === present) ? known : [{ code: present, name: '' }, ...known]
  return all.map(({ code, name }) => ({ value: code, label: `${code} · ${inWords.of(code) ?? name}` }))
}

/** Lets the workspace use a currency, before it becomes its own. */
export async function addCurrency(code: string): Promise<void> {
  const { data } = await crm.currencies.list()
  const present = data.find((one) => one.code === code)
  if (!present) await crm.currencies.create({ body: { code } })
  else if (!present.isActive) await crm.currencies.update({ params: { id: present.id }, body: { isActive: true } })
}
