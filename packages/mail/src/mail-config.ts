import { z } from 'zod'

/** The environment variables of the mail transport, the same for all deployables that send mail. */
export const mailConfig = {
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe('SMTP server for mail; without it each message becomes a file in DATA_DIR/mail.'),
  MAIL_TO_FILES: z
    .stringbool()
    .default(false)
    .describe('Says that mail becomes files on purpose; in production a process without SMTP_URL starts only then.'),
}
