import activities from './en/activities.json'
import automation from './en/automation.json'
import base from './en/base.json'
import booking from './en/booking.json'
import catalogue from './en/catalogue.json'
import codes from './en/codes.json'
import common from './en/common.json'
import companies from './en/companies.json'
import contacts from './en/contacts.json'
import conversations from './en/conversations.json'
import customEntities from './en/customEntities.json'
import dashboards from './en/dashboards.json'
import deals from './en/deals.json'
import documents from './en/documents.json'
import feed from './en/feed.json'
import files from './en/files.json'
import finance from './en/finance.json'
import frame from './en/frame.json'
import grammar from './en/grammar.json'
import home from './en/home.json'
import inbox from './en/inbox.json'
import kinds from './en/kinds.json'
import labels from './en/labels.json'
import leads from './en/leads.json'
import projects from './en/projects.json'
import records from './en/records.json'
import refusals from './en/refusals.json'
import shell from './en/shell.json'
import signIn from './en/signIn.json'
import tasks from './en/tasks.json'
import team from './en/team.json'
import transfers from './en/transfers.json'
import { withPlainKinds } from './plain.ts'

/** The English texts by feature; the other languages have the same keys. */
export const texts = withPlainKinds('en', {
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

export type Texts = typeof texts
