import { BytesReply, privacy, success } from '@crm/contract'
import { schema } from '@crm/db'
import { ApiError, invalidField } from '@crm/errors'
import { exportKey } from '@crm/storage'
import { and, eq } from 'drizzle-orm'
import { implement, type CrmContext } from '../../platform/context.ts'
import { insertJob } from '../../platform/jobs.ts'
import { audit, changingPeople } from '../../records/audit.ts'
import { findExport, insertExport } from '../transfers/exports.repository.ts'
import { eraseAuditEntries, eraseEmployee, eraseRecord } from './privacy.erasure.ts'
import { personDataInSight, personDataType } from './privacy.export.ts'
import { ownNames, readSubject, requireSubjectRights } from './privacy.subject.ts'
import { confirmationOf, termsOf, type PrivacySubject } from './privacy.terms.ts'
import { issuedDocuments, sameWords, scrubTexts } from './privacy.traces.ts'

const { employees } = schema

const actions = { EMPLOYEE: 'user', CONTACT: 'contact', LEAD: 'lead' } as const

export const implementedPrivacy = implement(privacy, {
  export: async ({ body: { subject } }, context) => {
    await requireSubjectRights(context, subject, 'VIEW')
    await readSubject(context.db, context.workspace.id, subject)
    const { workspace, caller, at } = context
    return context.transact(async (tx) => {
      const jobId = await insertJob(tx, context, { kind: 'privacy.export', total: 1, payload: { subject } })
      const mine = { workspaceId: workspace.id, id: jobId, employeeId: caller.employee.id, createdAt: at }
      await insertExport(tx, { ...mine, entityType: personDataType })
      await audit(tx, context, {
        action: `${actions[subject.type]}.exported`,
        subjectType: subject.type,
        subjectId: subject.id,
        summary: 'Collected the data of a person',
      })
      return success({ jobId })
    })
  },

  file: async ({ params: { jobId } }, context) => {
    const key = { workspaceId: context.workspace.id, id: jobId }
    const made = await findExport(context.db, key, context.caller.employee.id)
    if (made?.entityType !== personDataType) throw new ApiError('NOT_FOUND', { message: 'There is no such file' })
    if (made.state !== 'DONE') throw new ApiError('INVALID_TRANSITION', { message: 'The file is not written yet' })
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="person-${made.createdAt.slice(0, 10)}.json"`,
    }
    const text = await personDataInSight(context, await context.deps.storage.read(exportKey(key)))
    return new BytesReply(200, headers, once(text))
  },

  erase: async ({ body: { subject: key, confirm } }, context) => {
    await requireSubjectRights(context, key, 'DELETE')
    const subject = await readSubject(context.db, context.workspace.id, key)
    if (confirm.trim().toLowerCase() !== confirmationOf(subject).toLowerCase())
      throw invalidField('confirm', 'Repeat the email address of the person, or the name of somebody without one')
    return success(await changingPeople(context, (tx) => eraseIn(tx, context, subject)))
  },
})

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

async function eraseIn(
  tx: Parameters<Parameters<CrmContext['transact']>[0]>[0],
  context: CrmContext,
  subject: PrivacySubject,
) {
  const { workspace, at } = context
  const place = { workspaceId: workspace.id, at }
  if (subject.type === 'EMPLOYEE') await requireTerminated(tx, context, subject.id)
  const terms = termsOf(subject)
  const names = await ownNames(tx, workspace.id, subject)
  const issued = await issuedDocuments(tx, workspace.id, subject.type === 'CONTACT' ? subject.id : null, terms)
  const own =
    subject.type === 'EMPLOYEE' ? await eraseEmployee(tx, place, subject) : await eraseRecord(tx, place, subject)
  const scrubbed = await scrubTexts(tx, workspace.id, { terms, names })
  const auditEntries = await eraseAuditEntries(tx, workspace.id, subject, [...terms, ...names])
  const inLog = auditEntries.reduce((sum, [from, to]) => sum + to - from + 1, 0)
  await audit(tx, context, {
    action: `${actions[subject.type]}.erased`,
    subjectType: subject.type,
    subjectId: subject.id,
    summary: 'Erased a person',
    data: { auditEntries },
  })
  const erased: Record<string, number> = { ...own, ...(inLog > 0 ? { audit_log: inLog } : {}) }
  for (const [kind, n] of Object.entries(scrubbed)) erased[kind] = (erased[kind] ?? 0) + n
  const words = await sameWords(tx, workspace.id, names)
  const kept = [
    ...issued.map((document) => ({ ...document, reason: 'Issued finance documents are kept unchanged' })),
    ...words.map((place) => ({ ...place, reason: 'It has the same word, which may mean something else; look at it' })),
  ]
  return { erased, kept }
}

async function requireTerminated(
  tx: Parameters<typeof eraseIn>[0],
  { workspace }: CrmContext,
  id: string,
): Promise<void> {
  const [person] = await tx
    .select({ status: employees.status })
    .from(employees)
    .where(and(eq(employees.workspaceId, workspace.id), eq(employees.id, id)))
    .for('update')
  if (person?.status !== 'TERMINATED') throw new ApiError('NOT_TERMINATED')
}
