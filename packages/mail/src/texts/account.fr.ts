import type { AccountTexts } from './account-wording.ts'

export const frAccount: AccountTexts = {
  mails: {
    invitation: {
      subject: '{person} vous invite à rejoindre {workspace}',
      text: '{person} vous invite à rejoindre {workspace}.',
    },
    'password-reset': {
      subject: 'Un nouveau mot de passe pour {workspace}',
      text: 'Vous choisissez ici un nouveau mot de passe pour {workspace}.',
    },
    'password-changed': {
      subject: 'Votre mot de passe a changé',
      text: 'Le mot de passe de votre compte dans {workspace} a changé.',
    },
    'email-changed': {
      subject: 'Votre adresse e-mail a été modifiée',
      text: 'L’adresse e-mail de votre compte dans {workspace} est désormais {name}. Plus aucun message ne sera envoyé à cette adresse-ci.',
    },
    'new-device': {
      subject: 'Connexion avec un nouvel appareil',
      text: 'Quelqu’un s’est connecté à votre compte dans {workspace} avec un navigateur inconnu jusqu’ici.',
    },
    'second-factor-changed': {
      subject: 'Votre second facteur a changé',
      text: 'Les seconds facteurs de votre compte dans {workspace} ont changé.',
    },
    'second-factor-reset': {
      subject: 'Votre second facteur a été réinitialisé',
      text: 'Un administrateur a supprimé les seconds facteurs de votre compte dans {workspace}. Vous en ajouterez un nouveau à la prochaine connexion.',
    },
    'recovery-code-used': {
      subject: 'Un code de secours a été utilisé',
      text: 'Un code de secours de votre compte dans {workspace} a servi à une connexion. Il ne fonctionne plus.',
    },
    'break-glass-used': {
      subject: 'Un compte d’urgence a été utilisé',
      text: '{name} s’est connecté à {workspace} avec le mot de passe d’un compte d’urgence.',
    },
    'identity-linked': {
      subject: 'Un autre compte permet de se connecter en votre nom',
      text: 'Un compte de {name} chez un fournisseur d’identité a été associé à votre compte dans {workspace}. Quiconque y a accès peut se connecter en votre nom.',
    },
    'key-expiring': {
      subject: 'Une clé expire bientôt',
      text: 'La clé « {name} » de {workspace} expire bientôt.',
    },
  },
  accept: 'Accepter l’invitation',
  chooseNew: 'Choisir un nouveau mot de passe',
  validUntil: 'Le lien fonctionne une fois, jusqu’au',
  when: 'Quand',
  from: 'Depuis',
  program: 'Programme',
  notYou: 'Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe et prévenez un administrateur.',
  ignore: 'Si vous n’avez rien demandé, vous n’avez rien à faire.',
  security: 'Sécurité de votre compte',
}
