import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { create, type Font } from 'fontkit'
import pdfmake from 'pdfmake'
import { withHeightsOf } from './even-lines.ts'
import { unpackWoff } from './unpack-woff.ts'

/** The files of a font by weight and slant. */
export type Cuts = Readonly<Record<'normal' | 'bold' | 'italics' | 'bolditalics', string>>

const { resolve } = createRequire(import.meta.url)
const roboto = join(dirname(resolve('pdfmake/package.json')), 'fonts', 'Roboto')
const chinese = join(dirname(resolve('@embedpdf/fonts-sc')), '..', 'fonts')

function fontsource(name: string, subset: string): Cuts {
  const path = join(dirname(resolve(`@fontsource/${name}/package.json`)), 'files', `${name}-${subset}`)
  return upright(`${path}-400-normal.woff`, `${path}-700-normal.woff`)
}

/** Returns the files of a font without italics. */
function upright(normal: string, bold: string): Cuts {
  return { normal, bold, italics: normal, bolditalics: bold }
}

/** The fonts by name: the default font first, then the fallbacks in order for letters that it lacks. */
export const fonts = {
  Roboto: {
    normal: join(roboto, 'Roboto-Regular.ttf'),
    bold: join(roboto, 'Roboto-Medium.ttf'),
    italics: join(roboto, 'Roboto-Italic.ttf'),
    bolditalics: join(roboto, 'Roboto-MediumItalic.ttf'),
  },
  Latin: fontsource('noto-sans', 'latin-ext'),
  Cyrillic: fontsource('noto-sans', 'cyrillic-ext'),
  Greek: fontsource('noto-sans', 'greek-ext'),
  Arabic: fontsource('amiri', 'arabic'),
  RareArabic: fontsource('noto-sans-arabic', 'arabic'),
  Hebrew: fontsource('noto-sans-hebrew', 'hebrew'),
  Thai: fontsource('noto-sans-thai', 'thai'),
  Devanagari: fontsource('noto-sans-devanagari', 'devanagari'),
  Armenian: fontsource('noto-sans-armenian', 'armenian'),
  Bengali: fontsource('noto-sans-bengali', 'bengali'),
  Ethiopic: fontsource('noto-sans-ethiopic', 'ethiopic'),
  Georgian: fontsource('noto-sans-georgian', 'georgian'),
  Gujarati: fontsource('mukta-vaani', 'gujarati'),
  Gurmukhi: fontsource('mukta-mahee', 'gurmukhi'),
  Kannada: fontsource('noto-sans-kannada', 'kannada'),
  Khmer: fontsource('battambang', 'khmer'),
  Lao: fontsource('phetsarath', 'lao'),
  Malayalam: fontsource('manjari', 'malayalam'),
  Myanmar: fontsource('noto-sans-myanmar', 'myanmar'),
  Oriya: fontsource('noto-sans-oriya', 'oriya'),
  Sinhala: fontsource('noto-sans-sinhala', 'sinhala'),
  Tamil: fontsource('noto-sans-tamil', 'tamil'),
  Telugu: fontsource('noto-sans-telugu', 'telugu'),
  Korean: fontsource('nanum-gothic', 'korean'),
  Japanese: fontsource('biz-udpgothic', 'japanese'),
  Chinese: upright(join(chinese, 'NotoSansHans-Regular.otf'), join(chinese, 'NotoSansHans-Bold.otf')),
} as const satisfies Readonly<Record<string, Cuts>>

export type FontName = keyof typeof fonts

/** Fonts for one script alone, which are called like it: a text without that script does not load them. `reordered`: letters are drawn in another order than they are typed, or several as one. */
const ofOneScript = {
  Hebrew: 'as typed',
  Thai: 'reordered',
  Devanagari: 'reordered',
  Armenian: 'as typed',
  Bengali: 'reordered',
  Ethiopic: 'as typed',
  Georgian: 'as typed',
  Gujarati: 'reordered',
  Gurmukhi: 'reordered',
  Kannada: 'reordered',
  Khmer: 'reordered',
  Lao: 'reordered',
  Malayalam: 'reordered',
  Myanmar: 'reordered',
  Oriya: 'reordered',
  Sinhala: 'reordered',
  Tamil: 'reordered',
  Telugu: 'reordered',
} as const satisfies Partial<Record<FontName, 'as typed' | 'reordered'>>

const scripts: ReadonlyMap<string, RegExp> = new Map(
  Object.keys(ofOneScript).map((name) => [name, new RegExp(`\\p{Script_Extensions=${name}}`, 'u')]),
)

/** Matches letters of scripts that are drawn in another order than they are typed. */
export const isReordered = new RegExp(
  `[${Object.entries(ofOneScript)
    .flatMap(([name, drawn]) => (drawn === 'reordered' ? [`\\p{Script=${name}}`] : []))
    .join('')}]`,
  'u',
)

/** Returns the fonts that a text can need, in their order. */
export function fontsFor(text: string): readonly FontName[] {
  return (Object.keys(fonts) as FontName[]).filter((name) => scripts.get(name)?.test(text) ?? true)
}

export const usualFont = 'Roboto' satisfies FontName

/** A font that is loaded. */
interface Loaded {
  readonly font: Font
  readonly letters: ReadonlySet<number>
}

/** Bounded: one for each font. */
const loaded = new Map<FontName, Loaded>()

/** Whether a font has all letters of a text; invisible marks need none. */
export function canWrite(font: FontName, text: string): boolean {
  const { letters } = loaded.get(font) ?? load(font)
  return Array.from(text).every(
    (letter) => letters.has(letter.codePointAt(0) ?? 0) || /\p{Default_Ignorable_Code_Point}/u.test(letter),
  )
}

/** Whether a font can place the letters of a text: fonts know no place for marks that nobody writes together. */
export function canPlace(font: FontName, text: string): boolean {
  try {
    ;(loaded.get(font) ?? load(font)).font.layout(text)
    return true
  } catch {
    return false
  }
}

/** Registers a font with pdfmake at its first use, since all fonts together are many megabytes, and returns it. */
function load(font: FontName): Loaded {
  const { normal, ...others } = fonts[font]
  const upright = unpack(normal, font)
  pdfmake.virtualfs.writeFileSync(normal, upright)
  for (const path of new Set(Object.values(others))) {
    if (path !== normal) pdfmake.virtualfs.writeFileSync(path, unpack(path, font))
  }
  const made = create(upright)
  const known = { font: made, letters: new Set(made.characterSet) }
  loaded.set(font, known)
  return known
}

/** Returns the font with the line height of the default font. */
function unpack(path: string, font: FontName): Buffer {
  const unpacked = unpackWoff(readFileSync(path))
  return font === usualFont ? unpacked : withHeightsOf(readFileSync(fonts[usualFont].normal), unpacked)
}
