import type { AccountTexts } from './account-wording.ts'

export const deAccount: AccountTexts = {
  mails: {
    invitation: {
      subject: '{person} lädt Sie zu {workspace} ein',
      text: '{person} lädt Sie ein, in {workspace} mitzuarbeiten.',
    },
    'password-reset': {
      subject: 'Ein neues Passwort für {workspace}',
      text: 'Hier wählen Sie ein neues Passwort für {workspace}.',
    },
    'password-changed': {
      subject: 'Ihr Passwort wurde geändert',
      text: 'Das Passwort Ihres Kontos in {workspace} wurde geändert.',
    },
    'email-changed': {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      text: 'Die E-Mail-Adresse Ihres Kontos in {workspace} wurde in {name} geändert. An diese Adresse kommen keine Mails mehr.',
    },
    'new-device': {
      subject: 'Anmeldung mit einem neuen Gerät',
      text: 'Jemand hat sich mit einem bisher unbekannten Browser in Ihrem Konto in {workspace} angemeldet.',
    },
    'second-factor-changed': {
      subject: 'Ihr zweiter Faktor wurde geändert',
      text: 'Die zweiten Faktoren Ihres Kontos in {workspace} wurden geändert.',
    },
    'second-factor-reset': {
      subject: 'Ihr zweiter Faktor wurde zurückgesetzt',
      text: 'Die zweiten Faktoren Ihres Kontos in {workspace} wurden von der Administration entfernt. Bei der nächsten Anmeldung richten Sie einen neuen ein.',
    },
    'recovery-code-used': {
      subject: 'Ein Wiederherstellungscode wurde benutzt',
      text: 'Mit einem Wiederherstellungscode hat sich jemand in Ihrem Konto in {workspace} angemeldet. Der Code gilt nicht noch einmal.',
    },
    'break-glass-used': {
      subject: 'Ein Notfallkonto wurde benutzt',
      text: '{name} hat sich mit dem Passwort eines Notfallkontos in {workspace} angemeldet.',
    },
    'identity-linked': {
      subject: 'Ein weiteres Konto meldet sich als Sie an',
      text: 'Mit Ihrem Konto in {workspace} wurde ein Konto von {name} bei einem Identitätsanbieter verknüpft. Wer es hat, kann sich als Sie anmelden.',
    },
    'key-expiring': {
      subject: 'Ein Schlüssel läuft bald ab',
      text: 'Der Schlüssel „{name}“ von {workspace} läuft bald ab.',
    },
  },
  accept: 'Einladung annehmen',
  chooseNew: 'Neues Passwort wählen',
  validUntil: 'Der Link gilt einmal, bis',
  when: 'Wann',
  from: 'Von',
  program: 'Programm',
  notYou:
    'Wenn Sie das nicht waren, wählen Sie sofort ein neues Passwort und sagen Sie es einer Administratorin oder einem Administrator.',
  ignore: 'Wenn Sie das nicht angefordert haben, müssen Sie nichts tun.',
  security: 'Sicherheit Ihres Kontos',
}
