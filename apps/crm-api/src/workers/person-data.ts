import { writePersonData } from '../across/privacy/privacy.export.ts'
import type { JobHandler } from './job-handler.ts'

/** Writes the file with the data of a person. */
export const exportPersonData: JobHandler = ({ tx, row, deps, at }) =>
  writePersonData(tx, deps.storage, { workspaceId: row.workspaceId, id: row.payload['jobId'] as string }, at)
