/** Sends one request and prints its outcome, for a parent process that sets the proxy variables. */
import { createEgress } from '../src/index.ts'

const egress = createEgress({ allowCidrs: ['127.0.0.1'] })
process.stdout.write(JSON.stringify(await egress.send({ url: process.argv[2]!, method: 'POST', body: '{}' })))
await egress.close()
