// `node story.mjs CLIENT URL KEY`: what one real client does with the tool server, as one line of JSON.
const [, , name, url, key] = process.argv
const { connect } = await import(`./${name}.mjs`)
const client = await connect(url, { authorization: `Bearer ${key}` })

/** Returns the first text within what a client answers, whatever it wraps around it. */
const textIn = (answer) => {
  if (typeof answer === 'string') return answer
  if (Array.isArray(answer)) return answer.map(textIn).find((text) => text !== undefined)
  if (answer === null || typeof answer !== 'object') return undefined
  if (typeof answer.text === 'string') return answer.text
  return textIn(answer.content ?? Object.values(answer))
}
const dataOf = (answer) => answer.data ?? JSON.parse(textIn(answer)).data

const names = await client.names()
const { id } = dataOf(
  await client.call('leads_create', { firstName: 'Ada', jobTitle: 'Admiral', address: { city: 'London' } }),
)
await client.call('leads_update', { id, clear: ['jobTitle'] })
const { jobTitle, address } = dataOf(await client.call('leads_get', { id }))
const refused = await client.call('leads_get', { id: '0197b2f0-0000-7000-8000-000000000001' }).then(
  (answer) => ({ way: answer?.isError ? 'isError' : 'answer', text: JSON.stringify(answer) }),
  (error) => ({ way: 'throws', text: `${error?.name}: ${error?.message}` }),
)
console.log(
  JSON.stringify({
    hasTools: names.some((one) => one.endsWith('leads_list')),
    tools: names.length,
    jobTitle,
    city: address?.city,
    refused,
  }),
)
await client.close?.()
process.exit(0)
