import activities from './es/activities.json'
import automation from './es/automation.json'
import base from './es/base.json'
import booking from './es/booking.json'
import catalogue from './es/catalogue.json'
import codes from './es/codes.json'
import common from './es/common.json'
import companies from './es/companies.json'
import contacts from './es/contacts.json'
import conversations from './es/conversations.json'
import customEntities from './es/customEntities.json'
import dashboards from './es/dashboards.json'
import deals from './es/deals.json'
import documents from './es/documents.json'
import feed from './es/feed.json'
import files from './es/files.json'
import finance from './es/finance.json'
import frame from './es/frame.json'
import grammar from './es/grammar.json'
import home from './es/home.json'
import inbox from './es/inbox.json'
import kinds from './es/kinds.json'
import labels from './es/labels.json'
import leads from './es/leads.json'
import projects from './es/projects.json'
import records from './es/records.json'
import refusals from './es/refusals.json'
import shell from './es/shell.json'
import signIn from './es/signIn.json'
import tasks from './es/tasks.json'
import team from './es/team.json'
import transfers from './es/transfers.json'
import type { Texts } from './en.ts'
import { withPlainKinds } from './plain.ts'

/** The Spanish texts. */
export const texts: Texts = withPlainKinds('es', {
  activities,
  automation,
  base,
  booking,
  catalogue,
  codes,
  common,
  companies,
  contacts,
  conversations,
  customEntities,
  dashboards,
  deals,
  documents,
  feed,
  files,
  finance,
  frame,
  grammar,
  home,
  inbox,
  kinds,
  labels,
  leads,
  projects,
  records,
  refusals,
  shell,
  signIn,
  tasks,
  team,
  transfers,
})
