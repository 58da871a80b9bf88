import activities from './fr/activities.json'
import automation from './fr/automation.json'
import base from './fr/base.json'
import booking from './fr/booking.json'
import catalogue from './fr/catalogue.json'
import codes from './fr/codes.json'
import common from './fr/common.json'
import companies from './fr/companies.json'
import contacts from './fr/contacts.json'
import conversations from './fr/conversations.json'
import customEntities from './fr/customEntities.json'
import dashboards from './fr/dashboards.json'
import deals from './fr/deals.json'
import documents from './fr/documents.json'
import feed from './fr/feed.json'
import files from './fr/files.json'
import finance from './fr/finance.json'
import frame from './fr/frame.json'
import grammar from './fr/grammar.json'
import home from './fr/home.json'
import inbox from './fr/inbox.json'
import kinds from './fr/kinds.json'
import labels from './fr/labels.json'
import leads from './fr/leads.json'
import projects from './fr/projects.json'
import records from './fr/records.json'
import refusals from './fr/refusals.json'
import shell from './fr/shell.json'
import signIn from './fr/signIn.json'
import tasks from './fr/tasks.json'
import team from './fr/team.json'
import transfers from './fr/transfers.json'
import type { Texts } from './en.ts'
import { withPlainKinds } from './plain.ts'

/** The French texts. */
export const texts: Texts = withPlainKinds('fr', {
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
