import { loadTexts } from '../base/texts.ts'

const t = await loadTexts({
  en: () => import('../texts/searching/en.ts'),
  de: () => import('../texts/searching/de.ts'),
  fr: () => import('../texts/searching/fr.ts'),
  es: () => import('../texts/searching/es.ts'),
  ru: () => import('../texts/searching/ru.ts'),
})

/** What people call pages who look for them by another name, by their addresses. */
export const alsoCalled: Readonly<Record<string, string>> = {
  '/settings/profile': t('alsoCalled.profile'),
  '/settings/notifications': t('alsoCalled.notifications'),
  '/settings/security': t('alsoCalled.security'),
  '/settings/calendars': t('alsoCalled.calendars'),
  '/settings/general': t('alsoCalled.general'),
  '/settings/organization': t('alsoCalled.organization'),
  '/settings/people': t('alsoCalled.people'),
  '/settings/sign-in': t('alsoCalled.signIn'),
  '/settings/single-sign-on': t('alsoCalled.singleSignOn'),
  '/settings/directory-sync': t('alsoCalled.directorySync'),
  '/settings/roles': t('alsoCalled.roles'),
  '/settings/departments': t('alsoCalled.departments'),
  '/settings/usage': t('alsoCalled.usage'),
  '/settings/fields': t('alsoCalled.fields'),
  '/settings/custom-entities': t('alsoCalled.customEntities'),
  '/settings/pipelines': t('alsoCalled.pipelines'),
  '/settings/tags-and-lists': t('alsoCalled.tagsAndLists'),
  '/settings/taxes': t('alsoCalled.taxes'),
  '/settings/numbering': t('alsoCalled.numbering'),
  '/settings/import': t('alsoCalled.moveIn'),
  '/settings/duplicates': t('alsoCalled.duplicates'),
  '/settings/export': t('alsoCalled.export'),
  '/settings/trash': t('alsoCalled.trash'),
  '/settings/api-keys': t('alsoCalled.apiKeys'),
  '/settings/ai-clients': t('alsoCalled.aiClients'),
  '/settings/agents': t('alsoCalled.agents'),
  '/settings/proposals': t('alsoCalled.proposals'),
  '/settings/webhooks': t('alsoCalled.webhooks'),
  '/settings/audit-log': t('alsoCalled.auditLog'),
}
