/** The visible parts of a page with a form. */
interface ConsentForm {
  readonly html: string
  /** The hidden fields and the fields shared by all buttons. */
  readonly fields: URLSearchParams
  readonly rights: readonly { readonly name: string; readonly isTicked: boolean }[]
}

/** A person with a browser that runs no scripts and follows no redirects. */
export interface Person {
  /** Opens an address. */
  open(url: string | URL): Promise<Response>
  /** Reads the form of the consent page at an address. */
  readConsent(url: string | URL): Promise<ConsentForm>
  /** Sends the form of a page at an address, with these rights ticked. */
  decide(
    url: string | URL,
    form: ConsentForm,
    rights: readonly string[],
    decision?: 'allow' | 'deny',
  ): Promise<Response>
  /** Reads, ticks and allows; returns the address that the client is sent back to. */
  allow(url: string | URL, rights?: readonly string[]): Promise<URL>
}

/** Makes a person who is signed in with this cookie, or with none. */
export function createPerson(cookie?: string): Person {
  const headers = cookie === undefined ? {} : { cookie }
  const open: Person['open'] = (url) => fetch(url, { headers, redirect: 'manual' })
  const readConsent: Person['readConsent'] = async (url) => {
    const response = await open(url)
    const html = await response.text()
    if (response.status !== 200)
      throw new Error(`${url} answered ${response.status}: ${response.headers.get('location') ?? html}`)
    return { html, fields: hiddenFields(html), rights: checkboxes(html) }
  }
  const decide: Person['decide'] = (url, form, rights, decision = 'allow') => {
    const body = new URLSearchParams([
      ...form.fields,
      ...rights.map((name) => ['right', name] as [string, string]),
      ['decision', decision],
    ])
    const address = new URL(url)
    return fetch(address.origin + address.pathname, {
      method: 'POST',
      headers: { ...headers, origin: address.origin },
      body,
      redirect: 'manual',
    })
  }
  return {
    open,
    readConsent,
    decide,
    allow: async (url, rights) => {
      const form = await readConsent(url)
      const response = await decide(
        url,
        form,
        rights ?? form.rights.filter(({ isTicked }) => isTicked).map(({ name }) => name),
      )
      const location = response.headers.get('location')
      if (response.status !== 302 || location === null)
        throw new Error(`The decision was answered with ${response.status}: ${await response.text()}`)
      return new URL(location)
    },
  }
}

function hiddenFields(html: string): URLSearchParams {
  return new URLSearchParams(
    [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name, value]) => [
      unescaped(name),
      unescaped(value),
    ]),
  )
}

function checkboxes(html: string): ConsentForm['rights'] {
  return [...html.matchAll(/<input type="checkbox" name="right" value="([^"]*)"( checked)?>/g)].map(
    ([, name, checked]) => ({ name: unescaped(name), isTicked: checked !== undefined }),
  )
}

function unescaped(text = ''): string {
  return text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
}
