import { expect, it } from 'vitest'
import { describeAction, subjectOf } from './audit-words.ts'

it.each([
  ['api-key.created', 'Created the API key Website', 'API key: created', 'Website'],
  [
    'api-key.refused',
    'The API key Shop was used from an address from which it does not work',
    'API key: refused',
    'Shop',
  ],
  ['workflow.published', 'The workflow Welcome', 'Workflow: turned on', 'Welcome'],
  ['department.created', 'Department Sales', 'Department: created', 'Sales'],
  ['custom-field.created', 'LEAD field region', 'Field: created', 'region'],
  ['user.suspended', 'Suspended Ada King', 'Account: suspended', 'Ada King'],
  ['user.roles-changed', 'Changed the roles of Ada King', 'Account: roles changed', 'Ada King'],
  [
    'user.roles-changed',
    'The roles of Ada King follow their groups in another system',
    'Account: roles changed',
    'Ada King',
  ],
  ['scim-token.deleted', 'Ended the token Entra of a directory', 'Directory token: deleted', 'Entra'],
  ['invitation.sent', 'Invited grace@acme.test', 'Invitation: sent', 'grace@acme.test'],
  ['workspace.changed', 'Changed the workspace settings', 'Workspace: changed', undefined],
  ['session.started', 'Ada Admin signed in', 'Session: started', undefined],
  ['rocket.launched', 'Launched the rocket', 'Launched the rocket', undefined],
])('%s: %s', (action, summary, deed, subject) => {
  const entry = { action, summary, actorName: 'Ada Admin' }
  expect([describeAction(entry), subjectOf(entry)]).toEqual([deed, subject])
})
