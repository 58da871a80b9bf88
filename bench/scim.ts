// `npm run bench:scim`: a directory that provisions people by SCIM, as Okta does: it looks for each address, and creates the person.
import { newId, schema } from '@crm/db'
import { digest, keyPrefix, newSecret, scimTokenPrefix } from '@crm/identity'
import { createTestWorkspace } from '../packages/testkit/src/workspace.ts'
import { Agent, request } from 'undici'
import { setTimeout as wait } from 'node:timers/promises'
import { setStage } from './stage.ts'
import { watchStolen } from './stolen.ts'

const people = Number(process.argv[2] ?? 10_000)
/** The requests that a directory has under way together. */
const atOnce = 4
const aimMinutes = 10

const stage = await setStage([], console.log)
try {
  const workspace = await createTestWorkspace(stage.db)
  const { workspaceId } = workspace
  const ownerId = newId()
  const at = new Date().toISOString()
  await stage.db.insert(schema.employees).values({
    workspaceId,
    id: ownerId,
    kind: 'SERVICE',
    email: `directory@${workspace.host}`,
    firstName: 'Directory',
    createdAt: at,
    updatedAt: at,
  })
  await stage.db
    .insert(schema.employeeRoles)
    .values({ workspaceId, employeeId: ownerId, roleId: workspace.roleIds['Administrator'] as string })
  const token = newSecret(scimTokenPrefix)
  await stage.db.insert(schema.scimTokens).values({
    workspaceId,
    id: newId(),
    name: 'Directory',
    prefix: keyPrefix(token),
    tokenHash: digest(token),
    ownerId,
    createdAt: at,
  })
  const { url } = await stage.start('crm-api', 'apps/crm-api/bundle/main.js')

  const dispatcher = new Agent({ connections: atOnce })
  const headers = {
    host: workspace.host,
    authorization: `Bearer ${token}`,
    'content-type': 'application/scim+json',
  }
  let waits = 0
  const ask = async (path: string, body?: object): Promise<number> => {
    for (;;) {
      const answer = await request(`${url}/api/scim/v2/Users${path}`, {
        dispatcher,
        headers,
        ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      })
      const text = await answer.body.text()
      if (answer.statusCode < 300) return answer.statusCode
      if (![429, 503].includes(answer.statusCode)) throw new Error(`${path} answered ${answer.statusCode}: ${text}`)
      // Directories wait as long as they are told to, and try again later when a service is too busy.
      waits += 1
      await wait(Number(answer.headers['retry-after'] ?? 1) * 1_000)
    }
  }
  const provision = async (n: number): Promise<void> => {
    const userName = `person${n}@corp.example`
    await ask(`?filter=${encodeURIComponent(`userName eq "${userName}"`)}&startIndex=1&count=100`)
    await ask('', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName,
      externalId: `external-${n}`,
      name: { givenName: 'Person', familyName: String(n) },
      emails: [{ primary: true, value: userName, type: 'work' }],
      active: true,
    })
  }

  const stolen = watchStolen()
  const took = await inTurns(provision)
  const isStolen = stolen()
  const { rows } = await stage.owner.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM employees WHERE workspace_id = $1 AND email LIKE '%@corp.example'`,
    [workspaceId],
  )
  if (rows[0]?.n !== people) throw new Error(`There are ${rows[0]?.n} people instead of ${people}`)
  await dispatcher.close()

  // The floor: the same look-up and the same row, as two bare statements over as many connections.
  const floor = await inTurns(async (n) => {
    const email = `person${n}@floor.example`
    await stage.owner.query('SELECT id FROM employees WHERE workspace_id = $1 AND lower(email) = lower($2)', [
      workspaceId,
      email,
    ])
    await stage.owner.query(
      `INSERT INTO employees (workspace_id, id, email, first_name, last_name) VALUES ($1, $2, $3, 'Person', $4)`,
      [workspaceId, newId(), email, String(n)],
    )
  })

  const minutes = took.seconds / 60
  const aim = (aimMinutes * people) / 10_000
  console.log(
    [
      `${people.toLocaleString('en')} people by SCIM: ${minutes.toFixed(2)} minutes, ${Math.round(people / took.seconds)} a second`,
      `aim: ${aim} minutes${minutes <= aim ? '' : '  missed'}`,
      `bare statements: ${(floor.seconds / 60).toFixed(2)} minutes; ratio ${(took.seconds / floor.seconds).toFixed(1)}`,
      `the last tenth took ${(took.lastTenth / took.firstTenth).toFixed(2)} times as long as the first`,
      `answers 429 or 503: ${waits}; stolen ${(isStolen * 100).toFixed(1)} %`,
    ].join('\n'),
  )
} finally {
  await stage.close()
}

interface Times {
  readonly seconds: number
  readonly firstTenth: number
  readonly lastTenth: number
}

/** Does the work of every person, a few at once, and returns the seconds it took. */
async function inTurns(work: (n: number) => Promise<void>): Promise<Times> {
  const tenth = Math.ceil(people / 10)
  const beganAt = performance.now()
  const marks: number[] = []
  let next = 0
  let done = 0
  const worker = async (): Promise<void> => {
    while (next < people) {
      const n = next
      next += 1
      await work(n)
      done += 1
      if (done % tenth !== 0) continue
      marks.push(performance.now())
      if (process.env['VERBOSE']) console.log(`${done}: ${((performance.now() - beganAt) / 1_000).toFixed(1)} s`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  const endedAt = performance.now()
  return {
    seconds: (endedAt - beganAt) / 1_000,
    firstTenth: (marks[0] ?? endedAt) - beganAt,
    lastTenth: endedAt - (marks[8] ?? beganAt),
  }
}
