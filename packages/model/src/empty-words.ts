/** What people and programs write where there is no value, in small letters. */
export const emptyWords: readonly string[] = [
  '-',
  '--',
  '–',
  '—',
  '?',
  'n/a',
  'na',
  'n.a.',
  '#n/a',
  'none',
  'null',
  'nil',
  'k.a.',
  'n/d',
  'н/д',
  // What Outlook writes for no day.
  '0/0/00',
]
