import { bucketOf, createStorage } from '@crm/storage'
import type { Command } from 'commander'
import { join } from 'node:path'
import { moveContents } from '../backup/move-contents.ts'
import { CommandError } from '../base/output.ts'
import type { Run } from '../base/run.ts'

/** `crm files …` */
export function addFilesCommands(program: Command, run: Run): void {
  program
    .command('files')
    .description('The contents of files')
    .command('move')
    .description(
      'Copy all contents to the bucket of the S3 variables, or from it to DATA_DIR, and compare them; run it again after an interruption',
    )
    .requiredOption('--to <place>', 's3 or local')
    .option('--remove', 'remove each content from its old place when it is equal in the new one')
    .action(
      run(async ({ to, remove }: { to: string; remove?: true }, { config }) => {
        if (to !== 's3' && to !== 'local') throw new CommandError('--to is s3 or local')
        const bucket = bucketOf(config)
        if (bucket === undefined) throw new CommandError('Name the bucket by the S3 variables')
        const directory = join(config.DATA_DIR, 'files')
        const local = await createStorage({ directory, bucket: undefined })
        const remote = await createStorage({ directory, bucket })
        return moveContents(to === 's3' ? local : remote, to === 's3' ? remote : local, remove === true)
      }),
    )
}
