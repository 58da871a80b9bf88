// Counts a number of requests at once against a limit of 600 and prints how many were allowed.
import { connectRedis, createFixedWindow } from '../src/index.ts'

const [url, requests] = process.argv.slice(2)
const redis = await connectRedis(url, { role: 'test' })
const limit = createFixedWindow({ redis, name: 'shared', points: 600, windowMs: 60_000 })
const verdicts = await Promise.all(Array.from({ length: Number(requests) }, () => limit.consume('{acme}:key')))
process.stdout.write(String(verdicts.filter((verdict) => verdict.allowed).length))
await redis.close()
