import type { KeptHead } from '@crm/audit'
import type { Logger } from '@crm/runtime'
import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Returns the function that keeps signed heads in `heads.ndjson` of a folder, a line each, so that a chain that was cut or written anew
 * in the database is noticed. A folder that cannot be written to is logged and stops nothing.
 */
export function createHeadFile(folder: string, logger: Logger): (head: KeptHead) => Promise<void> {
  return async (head) => {
    try {
      await mkdir(folder, { recursive: true })
      await appendFile(join(folder, 'heads.ndjson'), `${JSON.stringify(head)}\n`)
    } catch (error) {
      logger.warn({ err: error }, 'the signed head of an audit log could not be kept')
    }
  }
}
