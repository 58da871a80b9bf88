// `node packages/bundle/src/main.ts src/main.ts … --script web/embed.js` in the folder of an app: the build step of a deployable.
import { parseArgs } from 'node:util'
import { bundle } from './bundle.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { script: { type: 'string', multiple: true } },
})
await bundle(process.cwd(), positionals, values.script)
