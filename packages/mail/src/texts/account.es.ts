import type { AccountTexts } from './account-wording.ts'

export const esAccount: AccountTexts = {
  mails: {
    invitation: { subject: '{person} le invita a {workspace}', text: '{person} le invita a trabajar en {workspace}.' },
    'password-reset': {
      subject: 'Una contraseña nueva para {workspace}',
      text: 'Aquí elige una contraseña nueva para {workspace}.',
    },
    'password-changed': {
      subject: 'Su contraseña ha cambiado',
      text: 'La contraseña de su cuenta en {workspace} ha cambiado.',
    },
    'email-changed': {
      subject: 'Se ha cambiado su dirección de correo',
      text: 'La dirección de correo de su cuenta en {workspace} es ahora {name}. Ya no se enviarán mensajes a esta dirección.',
    },
    'new-device': {
      subject: 'Inicio de sesión con un dispositivo nuevo',
      text: 'Alguien ha iniciado sesión en su cuenta de {workspace} con un navegador desconocido hasta ahora.',
    },
    'second-factor-changed': {
      subject: 'Su segundo factor ha cambiado',
      text: 'Los segundos factores de su cuenta en {workspace} han cambiado.',
    },
    'second-factor-reset': {
      subject: 'Su segundo factor se ha restablecido',
      text: 'Un administrador ha quitado los segundos factores de su cuenta en {workspace}. En el próximo inicio de sesión añadirá uno nuevo.',
    },
    'recovery-code-used': {
      subject: 'Se ha usado un código de recuperación',
      text: 'Se ha usado un código de recuperación de su cuenta en {workspace} para iniciar sesión. No vuelve a funcionar.',
    },
    'break-glass-used': {
      subject: 'Se ha usado una cuenta de emergencia',
      text: '{name} ha iniciado sesión en {workspace} con la contraseña de una cuenta de emergencia.',
    },
    'identity-linked': {
      subject: 'Otra cuenta permite iniciar sesión en su nombre',
      text: 'Se ha vinculado una cuenta de {name} en un proveedor de identidad a su cuenta en {workspace}. Quien la tenga puede iniciar sesión en su nombre.',
    },
    'key-expiring': {
      subject: 'Una clave caduca pronto',
      text: 'La clave «{name}» de {workspace} caduca pronto.',
    },
  },
  accept: 'Aceptar la invitación',
  chooseNew: 'Elegir una contraseña nueva',
  validUntil: 'El enlace funciona una vez, hasta',
  when: 'Cuándo',
  from: 'Desde',
  program: 'Programa',
  notYou: 'Si no ha sido usted, elija enseguida una contraseña nueva y avise a un administrador.',
  ignore: 'Si no lo ha pedido, no tiene que hacer nada.',
  security: 'Seguridad de su cuenta',
}
