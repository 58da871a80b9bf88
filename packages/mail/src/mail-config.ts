import { z } from 'zod'
import { faultOfMailServer } from './mail-server.ts'

/** The environment variables of the mail transport, the same for all deployables that send mail. */
export const mailConfig = {
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .superRefine((url, context) => {
      const fault = faultOfMailServer(url)
      if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
    })
    .optional()
    .describe(
      'SMTP server for mail; without it each message becomes a file in DATA_DIR/mail. It may end with ?tls=require, verify (the default), opportunistic or off, and servername=NAME.',
    ),
  MAIL_TO_FILES: z
    .stringbool()
    .default(false)
    .describe('Says that mail becomes files on purpose; in production a process without SMTP_URL starts only then.'),
}
