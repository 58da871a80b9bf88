import { z } from 'zod'

/** The environment that says where mail goes; deployables that send mail take the same variables. */
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
