/** Changes the secret of one header. */
type Change = (value: string) => Promise<string>

type Json = Readonly<Record<string, unknown>>

/** The members that lead from stored automation to its requests: branches of steps, queued actions, and frozen requests. */
const branches = ['then', 'else', 'actions', 'request']

/**
 * Returns stored automation with the values of its headers changed, at any depth: steps, triggers, actions, queued or frozen requests.
 * Types of content and empty values are no secrets and stay.
 */
export async function mapHeaderValues<T>(stored: T, change: Change): Promise<T> {
  return (await mapped(stored, change)) as T
}

async function mapped(stored: unknown, change: Change): Promise<unknown> {
  if (Array.isArray(stored)) {
    const items: unknown[] = []
    for (const item of stored) items.push(await mapped(item, change))
    return items
  }
  if (!isJson(stored)) return stored
  const result: Record<string, unknown> = { ...stored }
  for (const name of branches) if (name in stored) result[name] = await mapped(stored[name], change)
  const { headers, headerAuth } = stored
  if (isJson(headers)) result['headers'] = await mapHeaders(headers, change)
  if (isJson(headerAuth) && typeof headerAuth['value'] === 'string' && headerAuth['value'] !== '')
    result['headerAuth'] = { ...headerAuth, value: await change(headerAuth['value']) }
  return result
}

async function mapHeaders(headers: Json, change: Change): Promise<Json> {
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(headers))
    result[name] =
      typeof value === 'string' && value !== '' && name.toLowerCase() !== 'content-type' ? await change(value) : value
  return result
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
