import type { AccountTexts } from './account-wording.ts'

export const ruAccount: AccountTexts = {
  mails: {
    invitation: {
      subject: '{person} приглашает вас в {workspace}',
      text: '{person} приглашает вас работать в {workspace}.',
    },
    'password-reset': {
      subject: 'Новый пароль для {workspace}',
      text: 'Здесь можно выбрать новый пароль для {workspace}.',
    },
    'password-changed': { subject: 'Ваш пароль изменён', text: 'Пароль вашей учётной записи в {workspace} изменён.' },
    'email-changed': {
      subject: 'Ваш адрес электронной почты изменён',
      text: 'Адрес электронной почты вашей учётной записи в {workspace} изменён на {name}. На этот адрес письма больше не приходят.',
    },
    'new-device': {
      subject: 'Вход с нового устройства',
      text: 'В вашу учётную запись в {workspace} вошли из браузера, который раньше не встречался.',
    },
    'second-factor-changed': {
      subject: 'Ваш второй фактор изменён',
      text: 'Вторые факторы вашей учётной записи в {workspace} изменены.',
    },
    'second-factor-reset': {
      subject: 'Ваш второй фактор сброшен',
      text: 'Администратор удалил вторые факторы вашей учётной записи в {workspace}. При следующем входе вы добавите новый.',
    },
    'recovery-code-used': {
      subject: 'Использован код восстановления',
      text: 'Для входа в вашу учётную запись в {workspace} использован код восстановления. Повторно он не действует.',
    },
    'break-glass-used': {
      subject: 'Использована аварийная учётная запись',
      text: '{name}: вход в {workspace} с паролем аварийной учётной записи.',
    },
    'key-expiring': {
      subject: 'Срок действия ключа скоро истекает',
      text: 'Срок действия ключа «{name}» в {workspace} скоро истекает.',
    },
  },
  accept: 'Принять приглашение',
  chooseNew: 'Выбрать новый пароль',
  validUntil: 'Ссылка действует один раз, до',
  when: 'Когда',
  from: 'Откуда',
  program: 'Программа',
  notYou: 'Если это были не вы, сразу выберите новый пароль и сообщите администратору.',
  ignore: 'Если вы этого не запрашивали, ничего делать не нужно.',
  security: 'Безопасность вашей учётной записи',
}
