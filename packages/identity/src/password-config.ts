import { existsSync } from 'node:fs'
import { z } from 'zod'

/** The environment variables of the programs that take new passwords. */
export const passwordConfig = {
  BREACHED_PASSWORDS_FILE: z
    .string()
    .min(1)
    .refine((file) => existsSync(file), 'There is no such file')
    .optional()
    .describe(
      'File of SHA-1 digests of breached passwords, sorted, one a line, with or without a count after a colon; none of them is taken as a new password.',
    ),
}
