import type { Command } from 'commander'
import { readDemo } from '../demo/seed-demo.ts'
import { welcomeText } from '../demo/welcome.ts'
import { CommandError } from '../base/output.ts'
import type { Print } from '../base/run.ts'

/** `crm demo` needs no database: it prints what the last start wrote. */
export function addDemoCommand(program: Command, print: Print, dataDir: () => string): void {
  program
    .command('demo')
    .description('Print the address, sign-in and key of the demo workspace')
    .action((_options, command: Command) => {
      const demo = readDemo(dataDir())
      if (demo === undefined)
        throw new CommandError(
          'There is no demo workspace in this data folder: npm start makes it, npm start -- --no-demo does not',
        )
      print(demo, command, welcomeText)
    })
}
