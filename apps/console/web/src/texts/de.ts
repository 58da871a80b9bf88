import activities from './de/activities.json'
import automation from './de/automation.json'
import base from './de/base.json'
import booking from './de/booking.json'
import catalogue from './de/catalogue.json'
import codes from './de/codes.json'
import common from './de/common.json'
import companies from './de/companies.json'
import contacts from './de/contacts.json'
import conversations from './de/conversations.json'
import customEntities from './de/customEntities.json'
import dashboards from './de/dashboards.json'
import deals from './de/deals.json'
import documents from './de/documents.json'
import feed from './de/feed.json'
import files from './de/files.json'
import finance from './de/finance.json'
import frame from './de/frame.json'
import grammar from './de/grammar.json'
import home from './de/home.json'
import inbox from './de/inbox.json'
import kinds from './de/kinds.json'
import labels from './de/labels.json'
import leads from './de/leads.json'
import projects from './de/projects.json'
import records from './de/records.json'
import refusals from './de/refusals.json'
import shell from './de/shell.json'
import signIn from './de/signIn.json'
import tasks from './de/tasks.json'
import team from './de/team.json'
import transfers from './de/transfers.json'
import type { Texts } from './en.ts'
import { withPlainKinds } from './plain.ts'

/** The German texts. */
export const texts: Texts = withPlainKinds('de', {
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
