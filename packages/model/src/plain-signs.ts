const decimalDigit = /^\p{Nd}$/u

/** What numbers of Arabic script have in place of a percent sign and between groups of digits. */
const arabic: Readonly<Record<string, string>> = { '٪': '%', '٬': "'" }

/** How far the wide forms of Latin signs, from ！ to ～, are from the usual ones. */
const wideDistance = 0xfee0

/**
 * Returns a text as numbers, days and phone numbers are read: digits of every script as 0 to 9, wide signs as usual ones, and without signs
 * that have no width, such as the marks of direction that come along with a copied number.
 */
export function inPlainSigns(text: string): string {
  return text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - wideDistance))
    .replaceAll(/[٪٬]/g, (sign) => arabic[sign] ?? sign)
    .replaceAll(/\p{Nd}/gu, plainDigit)
}

/** The digits of a script follow each other from zero to nine. */
function plainDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let before = 0
  while (decimalDigit.test(String.fromCodePoint(code - before - 1))) before += 1
  return String(before % 10)
}

/** Returns a text without the blanks and the signs without a width around it, which come along with a copied address. */
export function trimMarks(text: string): string {
  return text.replaceAll(/^[\s\p{Cf}]+|(?<![\s\p{Cf}])[\s\p{Cf}]+$/gu, '')
}
