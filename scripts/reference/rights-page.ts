import {
  declaredOperations,
  namedPermissions,
  reachEffects,
  type DeclaredOperation,
  type ReachEffect,
  type ReachObject,
  type RevealedObject,
  type Resource,
} from '@crm/contract'
import { pageHead, table } from './table.ts'

/** Returns the page of effects on reach: of every operation of the settings, and of all others with effects. */
export function rightsPage(...contracts: readonly Readonly<Record<string, Resource>>[]): string {
  const declared = contracts
    .flatMap((contract) => declaredOperations(contract))
    .filter(({ operation }) => operation.reach !== undefined)
  const rows = declared.map((one) => [`\`${one.title}\``, permissionOf(one), effectOf(one), conditionOf(one)])
  return `${pageHead(
    'Rights',
    [
      'What operations do to reach: to the permissions of people, how far each goes and over which departments. Nobody reaches more than',
      'they hold. An operation that *gives* is refused with `ACCESS_DENIED` when somebody or some role would reach more than whoever asks;',
      'one that *takes* or *acts as* when the people behind the object reach more than whoever asks. What *shows* the work of others shows',
      'of it what the reader may see by themselves. Whatever would leave no active administrator is refused with `LAST_ADMINISTRATOR`.',
      'Operations that are not listed do nothing to reach: they are bound by permissions and access levels alone.',
    ].join('\n'),
  )}\n${table(['operation', 'permission', 'what it does to reach', 'only when the body has'], rows)}\n`
}

function permissionOf({ operation: { access } }: DeclaredOperation): string {
  if (access === 'open') return 'none'
  if (access === 'credential') return 'to be signed in'
  return namedPermissions(access)
    .map((name) => `\`${name}\``)
    .join(', ')
}

const words: Record<ReachEffect, string> = {
  gives: 'gives rights',
  takes: 'takes',
  actsAs: 'acts as',
  reveals: 'shows',
}

const objects: Record<ReachObject | RevealedObject, string> = {
  role: 'the people who hold the role',
  user: 'the person',
  department: 'the people who reach the department',
  'api-key': 'the owner of the key',
  connection: 'the person who is connected',
  workflow: 'the person whom the workflow runs as',
  'workflow-run': 'the person whom the run runs as',
  'automation-rule': 'the maker of the rule',
  'rule-run': 'the maker of the rule',
  'last-request': 'the person whom the workflow runs as',
  delivery: 'the maker of the rule or the person whom the run runs as',
  import: 'the person who imported',
  export: 'the person who exported',
  migration: 'the person who brought the files',
  invitation: 'the person who is invited',
  proposal: 'the person with whose rights the key or client works',
  'agent-session': 'the person with whose rights the key or client works',
  everybody: 'every active person',
  subject: 'the person, if they have an account',
  'person-data': 'the person, if they have an account',
  'scim-token': 'the owner of the token',
  'scim-person': 'the person',
  'scim-group': 'the members of the group',
}

function effectOf({ operation: { reach = 'none' } }: DeclaredOperation): string {
  if (reach === 'none') return 'nothing'
  return reachEffects.flatMap((effect) => (reach[effect] ? [phrase(effect, objects[reach[effect]])] : [])).join('; ')
}

function phrase(effect: ReachEffect, whom: string): string {
  if (effect === 'gives') return `${words.gives} to ${whom}`
  if (effect === 'takes') return `${words.takes} from ${whom}`
  return effect === 'reveals' ? `${words.reveals} work of ${whom}` : `${words.actsAs} ${whom}`
}

function conditionOf({ operation: { reach = 'none' } }: DeclaredOperation): string {
  if (reach === 'none') return ''
  const named = (fields: readonly string[] = []) => fields.map((field) => `\`${field}\``).join(', ')
  return reach.unless ? `not ${named(reach.unless)}` : named(reach.when)
}
