import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { create } from 'fontkit'
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
  Korean: fontsource('nanum-gothic', 'korean'),
  Japanese: fontsource('biz-udpgothic', 'japanese'),
  Chinese: upright(join(chinese, 'NotoSansHans-Regular.otf'), join(chinese, 'NotoSansHans-Bold.otf')),
} as const satisfies Readonly<Record<string, Cuts>>

export type FontName = keyof typeof fonts

export const usualFont = 'Roboto' satisfies FontName

/** Bounded: one for each font. */
const lettersOf = new Map<FontName, ReadonlySet<number>>()

/** Whether a font has all letters of a text; invisible marks need none. */
export function canWrite(font: FontName, text: string): boolean {
  const letters = lettersOf.get(font) ?? load(font)
  return Array.from(text).every(
    (letter) => letters.has(letter.codePointAt(0) ?? 0) || /\p{Default_Ignorable_Code_Point}/u.test(letter),
  )
}

/** Registers a font with pdfmake at its first use, since all fonts together are many megabytes, and returns its letters. */
function load(font: FontName): ReadonlySet<number> {
  const { normal, ...others } = fonts[font]
  const upright = unpack(normal, font)
  pdfmake.virtualfs.writeFileSync(normal, upright)
  for (const path of new Set(Object.values(others))) {
    if (path !== normal) pdfmake.virtualfs.writeFileSync(path, unpack(path, font))
  }
  const letters = new Set(create(upright).characterSet)
  lettersOf.set(font, letters)
  return letters
}

/** Returns the font with the line height of the default font. */
function unpack(path: string, font: FontName): Buffer {
  const unpacked = unpackWoff(readFileSync(path))
  return font === usualFont ? unpacked : withHeightsOf(readFileSync(fonts[usualFont].normal), unpacked)
}
