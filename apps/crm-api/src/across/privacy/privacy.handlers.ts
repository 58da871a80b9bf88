import { isSameText } from '../../records/folding.ts'
import { BytesReply, privacy, success } from '@crm/contract'
import { afterCommit } from '@crm/db'
import { ApiError, invalidField } from '@crm/errors'
import { exportKey } from '@crm/storage'
import { implement, type CrmContext } from '../../platform/context.ts'
import { insertJob } from '../../platform/jobs.ts'
import { audit, changingPeople } from '../../records/audit.ts'
import { findExport, insertExport } from '../transfers/exports.repository.ts'
import { rehearsed } from '../../records/rehearsal.ts'
import { erasePerson, type Erasure } from './privacy.erase.ts'
import { personDataInSight, personDataType } from './privacy.export.ts'
import { readSubject, requireSubjectRights } from './privacy.subject.ts'
import { confirmationOf } from './privacy.terms.ts'
import { changeTexts, type ErasureKey } from './privacy.texts.ts'

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

  erase: async ({ body: { subject: key, confirm, dryRun } }, context) => {
    await requireSubjectRights(context, key, 'DELETE')
    const subject = await readSubject(context.db, context.workspace.id, key)
    if (dryRun === true) {
      const seen = await context.transact((tx) => rehearsed(true, tx, (inner) => erasePerson(inner, context, subject)))
      return success(outcomeOf(seen))
    }
    if (!(await isSameText(context.db, confirm ?? '', confirmationOf(subject))))
      throw invalidField('confirm', 'Repeat the email address of the person, or the name of somebody without one')
    const erasure = await changingPeople(context, async (tx) => {
      const begun = await erasePerson(tx, context, subject)
      afterCommit(tx, () => goOn(context, begun.key))
      return begun
    })
    return success(outcomeOf(erasure))
  },
})

function outcomeOf({ erased, kept }: Erasure) {
  return { erased, kept: [...kept] }
}

/** The batches of texts that a request waits for; the rest follows in the background. */
const batchesAtOnce = 20

/** The record is erased by now, so a fault here must not say otherwise: the periodic work goes on with the texts. */
async function goOn({ deps, at }: CrmContext, key: ErasureKey): Promise<void> {
  try {
    await changeTexts(deps.db, key, at, { batchesMax: batchesAtOnce })
  } catch (error) {
    deps.logger.warn({ err: error, erasureId: key.id }, 'the texts of an erasure follow later')
  }
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
