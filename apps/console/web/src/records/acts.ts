import type { ShownTimelineEntry } from '@crm/contract'
import type { ReactNode } from 'react'
import { t } from '../base/texts.ts'

type Kind = ShownTimelineEntry['kind']

/** The parts of a sentence about what was done. */
export interface ActParts {
  /** The record. */
  it(): ReactNode
  /** A link to what was added. */
  open(inner: ReactNode): ReactNode
  readonly amount: string
}

/** What was done, for the place after the name of its author. */
export const acts: Readonly<Partial<Record<Kind, (parts: ActParts) => ReactNode>>> = {
  CREATED: ({ it }) => t.rich('created <it></it>', { it }),
  DELETED: ({ it }) => t.rich('deleted <it></it>', { it }),
  RESTORED: ({ it }) => t.rich('restored <it></it>', { it }),
  CONVERTED: ({ it }) => t.rich('converted <it></it>', { it }),
  MERGED: ({ it }) => t.rich('merged a duplicate into <it></it>', { it }),
  NOTE_ADDED: ({ open }) => t.rich('added <open>a note</open>', { open }),
  CALL_LOGGED: ({ open }) => t.rich('logged <open>a call</open>', { open }),
  EMAIL_SENT: ({ open }) => t.rich('sent <open>an email</open>', { open }),
  MEETING_SCHEDULED: ({ open }) => t.rich('scheduled <open>a meeting</open>', { open }),
  MEETING_RESCHEDULED: ({ open }) => t.rich('moved <open>a meeting</open>', { open }),
  MEETING_CANCELLED: ({ open }) => t.rich('cancelled <open>a meeting</open>', { open }),
  TASK_ADDED: ({ open }) => t.rich('added <open>a task</open>', { open }),
  TASK_COMPLETED: ({ open }) => t.rich('completed <open>a task</open>', { open }),
  FILE_ADDED: ({ open }) => t.rich('added <open>a file</open>', { open }),
  FILE_REMOVED: ({ open }) => t.rich('removed <open>a file</open>', { open }),
  QUOTE_SENT: ({ it }) => t.rich('sent <it></it>', { it }),
  QUOTE_ACCEPTED: ({ it }) => t.rich('accepted <it></it>', { it }),
  QUOTE_DECLINED: ({ it }) => t.rich('declined <it></it>', { it }),
  INVOICE_ISSUED: ({ it }) => t.rich('issued <it></it>', { it }),
  INVOICE_SENT: ({ it }) => t.rich('sent <it></it>', { it }),
  EMAIL_FAILED: ({ it }) => t.rich('could not email <it></it> to everybody', { it }),
  PAYMENT_RECORDED: ({ amount }) => t('recorded a payment of {amount}', { amount }),
  PAYMENT_REVERSED: ({ amount }) => t('reversed a payment of {amount}', { amount }),
  BOOKING_CREATED: ({ open }) => t.rich('booked <open>a meeting</open>', { open }),
  WORKFLOW_RUN: () => t('ran a workflow'),
  COMMENT_ADDED: ({ it }) => t.rich('commented on <it></it>', { it }),
}

/** The parts of a sentence about something with a title. */
interface NamedParts {
  readonly title: string
  name(inner: ReactNode): ReactNode
}

/** The same, where what was added has a title. */
export const namedActs: Readonly<Partial<Record<Kind, (parts: NamedParts) => ReactNode>>> = {
  NOTE_ADDED: ({ name, title }) => t.rich('added the note <name>{title}</name>', { name, title }),
  CALL_LOGGED: ({ name, title }) => t.rich('logged a call <name>{title}</name>', { name, title }),
  EMAIL_SENT: ({ name, title }) => t.rich('sent an email <name>{title}</name>', { name, title }),
  MEETING_SCHEDULED: ({ name, title }) => t.rich('scheduled a meeting <name>{title}</name>', { name, title }),
  MEETING_RESCHEDULED: ({ name, title }) => t.rich('moved the meeting <name>{title}</name>', { name, title }),
  MEETING_CANCELLED: ({ name, title }) => t.rich('cancelled the meeting <name>{title}</name>', { name, title }),
  TASK_ADDED: ({ name, title }) => t.rich('added the task <name>{title}</name>', { name, title }),
  TASK_COMPLETED: ({ name, title }) => t.rich('completed the task <name>{title}</name>', { name, title }),
  FILE_ADDED: ({ name, title }) => t.rich('added the file <name>{title}</name>', { name, title }),
  FILE_REMOVED: ({ name, title }) => t.rich('removed the file <name>{title}</name>', { name, title }),
  BOOKING_CREATED: ({ name, title }) => t.rich('booked a meeting <name>{title}</name>', { name, title }),
}
