import { keepHead, type KeptHead } from '@crm/audit'
import type { Logger } from '@crm/runtime'

/** Returns the function that keeps signed heads in a folder. A folder that cannot be written to is logged and stops nothing. */
export function createHeadFile(folder: string, logger: Logger): (head: KeptHead) => Promise<void> {
  return async (head) => {
    try {
      await keepHead(folder, head)
    } catch (error) {
      logger.warn({ err: error }, 'the signed head of an audit log could not be kept')
    }
  }
}
