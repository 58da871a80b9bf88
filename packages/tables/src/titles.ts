import { wordKey } from './reading.ts'

/** What a column can hold, as far as its values have forms. */
export const meanings = [
  'email',
  'phone',
  'day',
  'instant',
  'money',
  'percent',
  'number',
  'flag',
  'id',
  'choice',
  'text',
] as const
export type Meaning = (typeof meanings)[number]

/** Words of titles that tell what a column holds, in the languages of the product. */
const words: Readonly<Partial<Record<Meaning, readonly string[]>>> = {
  email: ['email', 'e-mail', 'mail', 'courriel', 'correo', 'почта'],
  phone: [
    'phone',
    'mobile',
    'fax',
    'tel',
    'telephone',
    'cell',
    'telefon',
    'telefonnummer',
    'mobil',
    'handy',
    'portable',
    'telefono',
    'movil',
    'телефон',
    'мобильный',
    'факс',
  ],
  day: [
    'date',
    'day',
    'birthday',
    'deadline',
    'datum',
    'geburtstag',
    'tag',
    'anniversaire',
    'echeance',
    'fecha',
    'cumpleanos',
    'дата',
    'день',
  ],
  instant: ['time', 'timestamp', 'created', 'modified', 'updated', 'zeitpunkt', 'erstellt', 'heure', 'hora', 'время'],
  money: [
    'amount',
    'price',
    'revenue',
    'cost',
    'budget',
    'salary',
    'total',
    'betrag',
    'preis',
    'umsatz',
    'kosten',
    'summe',
    'montant',
    'prix',
    'cout',
    'chiffre',
    'importe',
    'precio',
    'coste',
    'ingresos',
    'сумма',
    'цена',
    'выручка',
    'стоимость',
  ],
  percent: [
    'percent',
    'percentage',
    'probability',
    'prozent',
    'wahrscheinlichkeit',
    'pourcentage',
    'probabilite',
    'porcentaje',
    'probabilidad',
    'процент',
    'вероятность',
  ],
  number: [
    'number',
    'count',
    'quantity',
    'employees',
    'anzahl',
    'menge',
    'mitarbeiter',
    'nombre',
    'quantite',
    'cantidad',
    'empleados',
    'количество',
  ],
  flag: ['is', 'has', 'active', 'opt', 'aktiv', 'actif', 'activo', 'активный'],
  id: [
    'id',
    'ids',
    'uuid',
    'guid',
    'external',
    'key',
    'code',
    'nummer',
    'kundennummer',
    'numero',
    'zip',
    'plz',
    'postcode',
    'postal',
    'postleitzahl',
    'индекс',
    'код',
  ],
}

const meaningOfWord: ReadonlyMap<string, Meaning> = new Map(
  meanings.flatMap((meaning) =>
    (words[meaning] ?? []).map((word): readonly [string, Meaning] => [plain(word), meaning]),
  ),
)

function plain(word: string): string {
  return wordKey(word).replaceAll('-', '')
}

/** Returns what the title of a column says that it holds. */
export function meaningsIn(title: string): ReadonlySet<Meaning> {
  const parts = title
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/e-mail/gi, 'email')
    .split(/[^\p{L}\p{M}\p{N}-]+/u)
  return new Set(parts.flatMap((part) => meaningOfWord.get(plain(part)) ?? []))
}
