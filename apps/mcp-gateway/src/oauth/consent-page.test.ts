import { expect, it } from 'vitest'
import { consentPage } from './consent-page.ts'

const pageAt = (baseUrl: string) =>
  consentPage({
    documentUrl: null,
    clientName: 'Client',
    workspaceName: 'Acme',
    baseUrl,
    person: { name: 'Ada', email: 'ada@acme.example' },
    request: {
      clientId: 'c',
      redirectUri: 'app:/x',
      challenge: 'x',
      state: undefined,
      scope: undefined,
      resource: undefined,
    },
    rights: [],
    held: { writes: 'PROPOSE', limits: { deletesPerDay: 5 }, confirm: true },
    csrfToken: 'token',
  })

it.each(['http://crm.lan', 'http://crm.lan:8080', 'http://192.168.1.4', 'http://localhost.lan', 'http://[fd00::1]'])(
  'a person learns before the consent that clients refuse %s',
  (baseUrl) => expect(pageAt(baseUrl)).toContain('Without https:'),
)

it.each(['https://crm.lan', 'http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:8080'])(
  'nothing is said of %s, which clients take',
  (baseUrl) => expect(pageAt(baseUrl)).not.toContain('Without https:'),
)

it('shows how the client is held', () => {
  const page = pageAt('https://crm.lan')
  expect(page).toContain('<option value="PROPOSE" selected>')
  expect(page).toContain('name="confirm" value="yes" checked>')
  expect(page).toMatch(/name="deletesPerDay"[^>]* value="5">/)
  expect(page).toMatch(/name="writesPerDay"[^>]* value="">/)
})
