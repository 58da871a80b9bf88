import type { AccountTexts } from './account-wording.ts'

export const enAccount: AccountTexts = {
  mails: {
    invitation: {
      subject: '{person} invites you to {workspace}',
      text: '{person} invites you to work in {workspace}.',
    },
    'password-reset': {
      subject: 'A new password for {workspace}',
      text: 'Here you choose a new password for {workspace}.',
    },
    'password-changed': {
      subject: 'Your password was changed',
      text: 'The password of your account in {workspace} was changed.',
    },
    'email-changed': {
      subject: 'Your email address was changed',
      text: 'The email address of your account in {workspace} was changed to {name}. Mails no longer come to this address.',
    },
    'new-device': {
      subject: 'A new device signed in',
      text: 'Somebody signed in to your account in {workspace} with a browser that was not known before.',
    },
    'second-factor-changed': {
      subject: 'Your second factor was changed',
      text: 'The second factors of your account in {workspace} were changed.',
    },
    'second-factor-reset': {
      subject: 'Your second factor was reset',
      text: 'An administrator removed the second factors of your account in {workspace}. You add a new one at the next sign-in.',
    },
    'recovery-code-used': {
      subject: 'A recovery code was used',
      text: 'A recovery code of your account in {workspace} was used to sign in. It does not work again.',
    },
    'break-glass-used': {
      subject: 'An emergency account was used',
      text: '{name} signed in to {workspace} with the password of an emergency account.',
    },
    'identity-linked': {
      subject: 'Another account signs in as you',
      text: 'An account of {name} at an identity provider was linked to your account in {workspace}. Whoever has it can sign in as you.',
    },
    'key-expiring': { subject: 'A key expires soon', text: 'The key “{name}” of {workspace} expires soon.' },
  },
  accept: 'Accept the invitation',
  chooseNew: 'Choose a new password',
  validUntil: 'The link works once, until',
  when: 'When',
  from: 'From',
  program: 'Program',
  notYou: 'If it was not you, choose a new password at once and tell an administrator.',
  ignore: 'If you did not ask for this, you need not do anything.',
  security: 'Security of your account',
}
