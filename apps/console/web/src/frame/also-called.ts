import { loadTexts } from '../base/texts.ts'

const t = await loadTexts('also-called')

/** What people call pages who look for them by another name, by their addresses. */
export const alsoCalled: Readonly<Record<string, string>> = {
  '/settings/profile': t('my account, name, photo, language, time zone, theme'),
  '/settings/notifications': t('email alerts, digest'),
  '/settings/security': t('password, two factors, authenticator, passkeys, sessions, 2FA'),
  '/settings/calendars': t('Google Calendar, Outlook, busy times, ICS'),
  '/settings/general': t('workspace name, logo, brand, color, currency, language, time zone'),
  '/settings/organization': t('our address, tax number, bank account, letterhead'),
  '/settings/people': t('users, team, members, employees, invite'),
  '/settings/sign-in': t('login rules, password rules, allowed domains'),
  '/settings/single-sign-on': t('SSO, OIDC, identity provider, Google, Microsoft, Okta'),
  '/settings/directory-sync': t('SCIM, provisioning, Okta, Entra'),
  '/settings/roles': t('permissions, rights, access'),
  '/settings/departments': t('teams, hierarchy, managers'),
  '/settings/usage': t('limits, quotas, storage'),
  '/settings/fields': t('custom fields, properties'),
  '/settings/custom-entities': t('custom objects, own kinds of records, modules'),
  '/settings/pipelines': t('stages, sales process, probability'),
  '/settings/tags-and-lists': t('labels, lead sources, industries, lost reasons, choices'),
  '/settings/taxes': t('VAT, sales tax, tax rates'),
  '/settings/numbering': t('invoice numbers, number ranges, prefix'),
  '/settings/import': t('import, CSV, Excel, migrate, upload'),
  '/settings/duplicates': t('merge, clean up'),
  '/settings/export': t('download, CSV, Excel, all data, leave'),
  '/settings/trash': t('deleted records, restore, recycle bin'),
  '/settings/api-keys': t('tokens, API access, integrations, developers'),
  '/settings/ai-clients': t('MCP, Claude, ChatGPT, assistants, connections'),
  '/settings/agents': t('AI sessions, what assistants did, undo'),
  '/settings/proposals': t('approvals, review, AI'),
  '/settings/webhooks': t('hooks, HTTP, integrations, Zapier'),
  '/settings/audit-log': t('security log, history of changes, who did what'),
}
