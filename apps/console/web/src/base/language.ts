/** The languages of the console, by their own names. */
export const languages = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español', ru: 'Русский' } as const

export type Language = keyof typeof languages

/** Returns the choices of a language by its code, with the present one even where the console does not speak it. */
export function languageChoices(present: string): readonly { readonly value: string; readonly label: string }[] {
  const known = Object.entries(languages).map(([value, label]) => ({ value, label }))
  return known.some(({ value }) => value === present) ? known : [{ value: present, label: present }, ...known]
}

/** A language of brackets around all texts; it shows which texts are not translated. */
export const pseudoLanguage = 'pseudo'

const storedAs = 'crm:language'

/** Returns the language for a list of language codes in order of preference, such as `de-AT`; English if none of them is known. */
function languageFor(codes: readonly (string | null | undefined)[]): Language {
  const known = codes.map((code) => code?.toLowerCase().split('-')[0]).find((code) => isLanguage(code))
  return isLanguage(known) ? known : 'en'
}

function isLanguage(code: string | undefined): code is Language {
  return code !== undefined && Object.hasOwn(languages, code)
}

/** Returns the language that this browser shows: the one of the account that was here last, else the first known one that it prefers. */
export function chosenLanguage(): Language | typeof pseudoLanguage {
  if (typeof window === 'undefined') return 'en'
  const stored = window.localStorage.getItem(storedAs)
  return stored === pseudoLanguage ? pseudoLanguage : languageFor([stored, ...navigator.languages])
}

/** Shows the console in a language from now on; null for the one that the browser prefers. The browser keeps it for the first paint. */
export function chooseLanguage(code: string | null): void {
  const before = chosenLanguage()
  if (before === pseudoLanguage) return
  if (code === null) window.localStorage.removeItem(storedAs)
  else window.localStorage.setItem(storedAs, languageFor([code]))
  if (chosenLanguage() !== before) window.location.reload()
}
