import type { TimeFormat } from '@crm/contract'
import { chooseLanguage } from './language.ts'
import { setClock } from './moments.ts'

/** The choices of a person; the workspace has some where the person has none. */
interface Chosen {
  readonly locale: string | null
  readonly timezone: string | null
  readonly timeFormat: TimeFormat | null
  readonly density: string | null
  readonly workspace: { readonly timezone: string; readonly timeFormat: TimeFormat }
}

/** Shows the console as a person chose it. The browser keeps the language and the theme for the first paint of the next page. */
export function applyPreferences({ locale, timezone, timeFormat, density, workspace }: Chosen): void {
  setClock({ zone: timezone ?? workspace.timezone, timeFormat: timeFormat ?? workspace.timeFormat })
  document.documentElement.dataset['density'] = density ?? 'compact'
  chooseLanguage(locale)
}
