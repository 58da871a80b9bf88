// `node packages/bundle/src/main.ts src/main.ts …` in the folder of an app: the build step of a deployable.
import { bundle } from './bundle.ts'

await bundle(process.cwd(), process.argv.slice(2))
