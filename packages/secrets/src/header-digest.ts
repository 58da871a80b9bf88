import { createHash } from 'node:crypto'

/** Returns the digest under which the header of a webhook is kept, in hexadecimal digits; each workflow has other digests. */
export function headerDigest(workflowId: string, value: string): string {
  return createHash('sha256').update(`${workflowId}\n${value}`).digest('hex')
}
