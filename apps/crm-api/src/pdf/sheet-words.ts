/** The words of a quote or an invoice on paper. */
export interface SheetWords {
  readonly INVOICE: string
  readonly QUOTE: string
  readonly DRAFT: string
  readonly VOID: string
  readonly billTo: string
  readonly number: string
  readonly issueDate: string
  readonly dueDate: string
  readonly expiresAt: string
  readonly item: string
  readonly quantity: string
  readonly unitPrice: string
  readonly tax: string
  readonly amount: string
  readonly subtotal: string
  readonly discount: string
  readonly total: string
  readonly paid: string
  readonly due: string
  readonly rate: string
  /** `{tax}` stands for the name of the tax that prices include. */
  readonly includes: string
  readonly base: string
  readonly notes: string
  readonly terms: string
  readonly payment: string
  readonly taxId: string
  /** `{page}` and `{pages}` stand for the numbers. */
  readonly page: string
  /** The mail: `{title}` and `{seller}` stand for the title and the seller. */
  readonly mailSubject: string
  readonly mailText: string
}

const en: SheetWords = {
  INVOICE: 'Invoice',
  QUOTE: 'Quote',
  DRAFT: 'DRAFT',
  VOID: 'VOID',
  billTo: 'For',
  number: 'Number',
  issueDate: 'Date',
  dueDate: 'Due',
  expiresAt: 'Valid until',
  item: 'Item',
  quantity: 'Quantity',
  unitPrice: 'Unit price',
  tax: 'Tax',
  amount: 'Amount',
  subtotal: 'Subtotal',
  discount: 'Discount',
  total: 'Total',
  paid: 'Paid',
  due: 'Amount due',
  rate: 'Rate',
  includes: 'Includes {tax}',
  base: 'Base',
  notes: 'Notes',
  terms: 'Terms',
  payment: 'How to pay',
  taxId: 'Tax ID',
  page: 'Page {page} of {pages}',
  mailSubject: '{title} from {seller}',
  mailText: 'Please find {title} attached.',
}

const words: Readonly<Record<string, SheetWords>> = {
  en,
  de: {
    INVOICE: 'Rechnung',
    QUOTE: 'Angebot',
    DRAFT: 'ENTWURF',
    VOID: 'STORNIERT',
    billTo: 'An',
    number: 'Nummer',
    issueDate: 'Datum',
    dueDate: 'Fällig',
    expiresAt: 'Gültig bis',
    item: 'Position',
    quantity: 'Menge',
    unitPrice: 'Einzelpreis',
    tax: 'Steuer',
    amount: 'Betrag',
    subtotal: 'Zwischensumme',
    discount: 'Rabatt',
    total: 'Gesamt',
    paid: 'Bezahlt',
    due: 'Offen',
    rate: 'Satz',
    includes: 'Enthält {tax}',
    base: 'Netto',
    notes: 'Anmerkungen',
    terms: 'Bedingungen',
    payment: 'Zahlung',
    taxId: 'USt-IdNr.',
    page: 'Seite {page} von {pages}',
    mailSubject: '{title} von {seller}',
    mailText: 'Anbei erhalten Sie: {title}.',
  },
  es: {
    INVOICE: 'Factura',
    QUOTE: 'Presupuesto',
    DRAFT: 'BORRADOR',
    VOID: 'ANULADA',
    billTo: 'Para',
    number: 'Número',
    issueDate: 'Fecha',
    dueDate: 'Vencimiento',
    expiresAt: 'Válido hasta',
    item: 'Concepto',
    quantity: 'Cantidad',
    unitPrice: 'Precio',
    tax: 'Impuesto',
    amount: 'Importe',
    subtotal: 'Subtotal',
    discount: 'Descuento',
    total: 'Total',
    paid: 'Pagado',
    due: 'Pendiente',
    rate: 'Tipo',
    includes: 'Incluye {tax}',
    base: 'Base',
    notes: 'Notas',
    terms: 'Condiciones',
    payment: 'Forma de pago',
    taxId: 'NIF',
    page: 'Página {page} de {pages}',
    mailSubject: '{title} de {seller}',
    mailText: 'Adjuntamos: {title}.',
  },
  fr: {
    INVOICE: 'Facture',
    QUOTE: 'Devis',
    DRAFT: 'BROUILLON',
    VOID: 'ANNULÉE',
    billTo: 'À',
    number: 'Numéro',
    issueDate: 'Date',
    dueDate: 'Échéance',
    expiresAt: 'Valable jusqu’au',
    item: 'Désignation',
    quantity: 'Quantité',
    unitPrice: 'Prix unitaire',
    tax: 'Taxe',
    amount: 'Montant',
    subtotal: 'Sous-total',
    discount: 'Remise',
    total: 'Total',
    paid: 'Payé',
    due: 'Reste à payer',
    rate: 'Taux',
    includes: 'Dont {tax}',
    base: 'Base',
    notes: 'Remarques',
    terms: 'Conditions',
    payment: 'Paiement',
    taxId: 'N° TVA',
    page: 'Page {page} sur {pages}',
    mailSubject: '{title} de {seller}',
    mailText: 'Veuillez trouver ci-joint : {title}.',
  },
  ru: {
    INVOICE: 'Счёт',
    QUOTE: 'Предложение',
    DRAFT: 'ЧЕРНОВИК',
    VOID: 'АННУЛИРОВАН',
    billTo: 'Кому',
    number: 'Номер',
    issueDate: 'Дата',
    dueDate: 'Оплатить до',
    expiresAt: 'Действует до',
    item: 'Наименование',
    quantity: 'Количество',
    unitPrice: 'Цена',
    tax: 'Налог',
    amount: 'Сумма',
    subtotal: 'Подытог',
    discount: 'Скидка',
    total: 'Итого',
    paid: 'Оплачено',
    due: 'К оплате',
    rate: 'Ставка',
    includes: 'В том числе {tax}',
    base: 'База',
    notes: 'Примечания',
    terms: 'Условия',
    payment: 'Оплата',
    taxId: 'ИНН',
    page: 'Страница {page} из {pages}',
    mailSubject: '{title} от {seller}',
    mailText: 'Во вложении: {title}.',
  },
}

/** Returns the words in the language of a locale; English for a language without words. */
export function sheetWords(locale: string): SheetWords {
  return words[locale.split('-')[0] ?? ''] ?? en
}
