import activities from './ru/activities.json'
import automation from './ru/automation.json'
import base from './ru/base.json'
import booking from './ru/booking.json'
import catalogue from './ru/catalogue.json'
import codes from './ru/codes.json'
import common from './ru/common.json'
import companies from './ru/companies.json'
import contacts from './ru/contacts.json'
import conversations from './ru/conversations.json'
import customEntities from './ru/customEntities.json'
import dashboards from './ru/dashboards.json'
import deals from './ru/deals.json'
import documents from './ru/documents.json'
import feed from './ru/feed.json'
import files from './ru/files.json'
import finance from './ru/finance.json'
import frame from './ru/frame.json'
import grammar from './ru/grammar.json'
import home from './ru/home.json'
import inbox from './ru/inbox.json'
import kinds from './ru/kinds.json'
import labels from './ru/labels.json'
import leads from './ru/leads.json'
import projects from './ru/projects.json'
import records from './ru/records.json'
import refusals from './ru/refusals.json'
import shell from './ru/shell.json'
import signIn from './ru/signIn.json'
import tasks from './ru/tasks.json'
import team from './ru/team.json'
import transfers from './ru/transfers.json'
import type { Texts } from './en.ts'
import { withPlainKinds } from './plain.ts'

/** The Russian texts. */
export const texts: Texts = withPlainKinds('ru', {
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
