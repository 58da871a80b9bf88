import type { NotificationKind } from '@crm/contract'

/** The texts of mails with notifications in one language. */
export interface NoticeTexts {
  /** What has happened, by the kind of notification; null where the notification speaks that language itself. */
  readonly kinds: Readonly<Record<NotificationKind, string>> | null
  /** What a person did, where that person is known; `{actor}` is replaced. */
  readonly byPerson: Readonly<Record<string, string>>
  /** `{n}` is at least 2. */
  readonly subject: string
  readonly more: string
  /** `{url}` is the address of the settings. */
  readonly chosen: string
}

const en: NoticeTexts = {
  kinds: null,
  byPerson: {},
  subject: '{n} notifications',
  more: '… and {n} more',
  chosen: 'You chose to get these notifications by email. Change that at {url}.',
}

const de: NoticeTexts = {
  kinds: {
    mention: 'Jemand hat Sie erwähnt',
    reply: 'Jemand hat auf Ihre Notiz geantwortet',
    assigned: 'Ihnen wurde etwas zugewiesen',
    followed: 'Etwas, dem Sie folgen, hat sich geändert',
    'task.due': 'Eine Ihrer Aufgaben ist fällig',
    'booking.created': 'Bei Ihren Meetings hat sich etwas geändert',
    'booking.mail-failed': 'Eine E-Mail an einen Gast konnte nicht gesendet werden',
    'booking.guest-not-linked': 'Ein Gast konnte kein Lead werden',
    'booking.time-moved': 'Neue Zeitzonenregeln verschieben die Uhrzeit eines Meetings',
    'sign-in.groups-missing': 'Eine Anmeldung kam ohne Gruppen, die Rechte bleiben',
    'import.finished': 'Ein Import ist fertig',
    'import.failed': 'Ein Import ist fehlgeschlagen',
    'job.finished': 'Eine Massenänderung ist fertig',
    'mail.failed': 'Eine E-Mail konnte nicht gesendet werden',
    RUN_FAILED: 'Ein Workflow ist fehlgeschlagen',
    RULE_FAILED: 'Eine Automatisierungsregel ist fehlgeschlagen',
    RULE_PAUSED: 'Eine Automatisierungsregel wurde pausiert',
    'proposal.waiting': 'Etwas wartet auf Ihr Wort',
  },
  byPerson: {
    mention: '{actor} hat Sie erwähnt',
    reply: '{actor} hat auf Ihre Notiz geantwortet',
    assigned: '{actor} hat Ihnen etwas zugewiesen',
    followed: '{actor} hat etwas geändert, dem Sie folgen',
  },
  subject: '{n} Benachrichtigungen',
  more: '… und {n} weitere',
  chosen:
    'Sie bekommen diese Benachrichtigungen per E-Mail, weil Sie es so gewählt haben. Ändern können Sie das hier: {url}',
}

const fr: NoticeTexts = {
  kinds: {
    mention: 'Quelqu’un vous a mentionné',
    reply: 'Quelqu’un a répondu à votre note',
    assigned: 'Un élément vous a été attribué',
    followed: 'Un élément que vous suivez a changé',
    'task.due': 'Une de vos tâches arrive à échéance',
    'booking.created': 'Vos rendez-vous ont changé',
    'booking.mail-failed': 'Un e-mail à un invité n’a pas pu être envoyé',
    'booking.guest-not-linked': 'Un invité n’a pas pu devenir un lead',
    'booking.time-moved': 'De nouvelles règles de fuseau horaire décalent l’heure d’un rendez-vous',
    'sign-in.groups-missing': 'Une connexion est arrivée sans groupes, les droits restent',
    'import.finished': 'Une importation est terminée',
    'import.failed': 'Une importation a échoué',
    'job.finished': 'Une modification groupée est terminée',
    'mail.failed': 'Un e-mail n’a pas pu être envoyé',
    RUN_FAILED: 'Un workflow a échoué',
    RULE_FAILED: 'Une règle d’automatisation a échoué',
    RULE_PAUSED: 'Une règle d’automatisation a été mise en pause',
    'proposal.waiting': 'Quelque chose attend votre accord',
  },
  byPerson: {
    mention: '{actor} vous a mentionné',
    reply: '{actor} a répondu à votre note',
    assigned: '{actor} vous a attribué un élément',
    followed: '{actor} a modifié un élément que vous suivez',
  },
  subject: '{n} notifications',
  more: '… et {n} de plus',
  chosen: 'Vous avez choisi de recevoir ces notifications par e-mail. Vous pouvez le changer ici : {url}',
}

const es: NoticeTexts = {
  kinds: {
    mention: 'Alguien le ha mencionado',
    reply: 'Alguien ha respondido a su nota',
    assigned: 'Se le ha asignado algo',
    followed: 'Ha cambiado algo que usted sigue',
    'task.due': 'Vence una de sus tareas',
    'booking.created': 'Sus reuniones han cambiado',
    'booking.mail-failed': 'No se pudo enviar un correo a un invitado',
    'booking.guest-not-linked': 'Un invitado no se pudo convertir en lead',
    'booking.time-moved': 'Nuevas reglas de zona horaria cambian la hora de una reunión',
    'sign-in.groups-missing': 'Un inicio de sesión llegó sin grupos, los permisos se mantienen',
    'import.finished': 'Una importación terminó',
    'import.failed': 'Una importación falló',
    'job.finished': 'Un cambio masivo terminó',
    'mail.failed': 'No se pudo enviar un correo',
    RUN_FAILED: 'Un flujo de trabajo falló',
    RULE_FAILED: 'Una regla de automatización falló',
    RULE_PAUSED: 'Una regla de automatización se pausó',
    'proposal.waiting': 'Algo espera su decisión',
  },
  byPerson: {
    mention: '{actor} le ha mencionado',
    reply: '{actor} ha respondido a su nota',
    assigned: '{actor} le ha asignado algo',
    followed: '{actor} ha cambiado algo que usted sigue',
  },
  subject: '{n} notificaciones',
  more: '… y {n} más',
  chosen: 'Recibe estas notificaciones por correo porque así lo eligió. Puede cambiarlo aquí: {url}',
}

const ru: NoticeTexts = {
  kinds: {
    mention: 'Вас упомянули',
    reply: 'На вашу заметку ответили',
    assigned: 'Вам что-то назначили',
    followed: 'Изменилась запись, за которой вы следите',
    'task.due': 'Подошёл срок вашей задачи',
    'booking.created': 'Ваши встречи изменились',
    'booking.mail-failed': 'Не удалось отправить письмо гостю',
    'booking.guest-not-linked': 'Не удалось сделать гостя лидом',
    'booking.time-moved': 'Новые правила часовых поясов меняют время встречи на часах',
    'sign-in.groups-missing': 'Вход выполнен без групп, права сохраняются',
    'import.finished': 'Импорт завершён',
    'import.failed': 'Ошибка импорта',
    'job.finished': 'Массовое изменение завершено',
    'mail.failed': 'Не удалось отправить письмо',
    RUN_FAILED: 'Ошибка сценария',
    RULE_FAILED: 'Ошибка правила автоматизации',
    RULE_PAUSED: 'Правило автоматизации приостановлено',
    'proposal.waiting': 'Что-то ждёт вашего решения',
  },
  byPerson: {
    mention: '{actor}: вас упомянули',
    reply: '{actor}: ответ на вашу заметку',
    assigned: '{actor}: вам что-то назначено',
    followed: '{actor}: изменения в записи, за которой вы следите',
  },
  subject: 'Уведомлений: {n}',
  more: '… и ещё {n}',
  chosen: 'Вы выбрали получать эти уведомления по почте. Изменить это можно здесь: {url}',
}

/** The texts of mails with notifications, by language. */
export const noticeTexts = { en, de, fr, es, ru }
