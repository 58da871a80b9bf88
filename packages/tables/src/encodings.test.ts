import iconv from 'iconv-lite'
import { expect, it } from 'vitest'
import { decode, decodeMarked, differentLines, guessEncoding, type Encoding } from './encodings.ts'

const german = 'Vorname;Nachname;E-Mail\r\nJürgen;Müller;j@acme.example\r\nGünther;Weiß;g@acme.example\r\n'
const french = 'Prénom;Nom;Ville\r\nHélène;Lefèvre;Besançon\r\nJérôme;Noël;Orléans\r\n'
const czech = 'Jméno;Příjmení;Město\r\nJiří;Dvořák;Plzeň\r\nŽofie;Šťastná;Čáslav\r\n'
const polish = 'Imię;Nazwisko;Miasto\r\nŁukasz;Wójcik;Łódź\r\nŚwiętosława;Żółć;Kraków\r\n'
const russian = 'Имя;Фамилия;Город\r\nИван;Петров;Москва\r\nОльга;Сидорова;Казань\r\n'
const greek = 'Όνομα;Επώνυμο;Πόλη\r\nΓιώργος;Παπαδόπουλος;Αθήνα\r\nΆννα;Οικονόμου;Πάτρα\r\n'
const turkish = 'Ad;Soyad;Şehir\r\nİlker;İpekçi;Muğla\r\nAyşe;Güneş;Iğdır\r\n'
const hebrew = 'שם;משפחה;עיר\r\nדוד;כהן;תל אביב\r\n'
const arabic = 'الاسم;اللقب;المدينة\r\nمحمد;العلي;دمشق\r\n'
const japanese = '名前;会社;都市\r\n田中太郎;株式会社山田;東京\r\n鈴木花子;テスト商事;大阪\r\n'
const chinese = '姓名;公司;城市\r\n王小明;北京科技有限公司;上海\r\n'
const korean = '이름;회사;도시\r\n김철수;삼성전자;서울\r\n'

it.each<[Encoding, string]>([
  ['windows-1252', german],
  ['windows-1252', french],
  ['macintosh', german],
  ['macintosh', french],
  ['windows-1250', czech],
  ['windows-1250', polish],
  ['iso-8859-2', czech],
  ['windows-1251', russian],
  ['koi8-r', russian],
  // Few letters among many plain ones.
  ['windows-1251', 'Имя;Фамилия;E-mail\r\nИван;Петров;ip@ru.example\r\nОльга;Щукина;os@ru.example\r\n'],
  ['koi8-r', 'Имя;Фамилия;E-mail\r\nИван;Петров;ip@ru.example\r\nОльга;Щукина;os@ru.example\r\n'],
  ['windows-1253', 'Name;E-mail\r\nΓιώργος;gp@gr.example\r\n'],
  ['windows-1252', 'Name;E-mail\r\nJürgen;jm@de.example\r\n'],
  ['windows-1250', 'Name;E-mail\r\nŻółć;z@pl.example\r\nStanisław;s@pl.example\r\n'],
  ['windows-1253', greek],
  ['windows-1254', turkish],
  ['windows-1252', 'Nafn;Bær\r\nÞórður Guðmundsson;Ísafjörður\r\nÝr Þórsdóttir;Þingeyri\r\n'],
  ['windows-1255', hebrew],
  ['windows-1256', arabic],
  ['shift_jis', japanese],
  ['euc-jp', japanese],
  ['gb18030', chinese],
  ['big5', chinese],
  ['euc-kr', korean],
])('%s is found by its letters, and asked for: %j', (encoding, text) => {
  const bytes = iconv.encode(text, encoding)
  const { likely, isSure } = guessEncoding(bytes)
  expect(isSure).toBe(false)
  expect(decode(bytes, likely[0]!)).toBe(text)
  expect(decode(bytes, encoding)).toBe(text)
})

it.each<[string, Encoding, Uint8Array]>([
  ['UTF-8', 'utf-8', Buffer.from(german)],
  ['UTF-8 with its mark', 'utf-8', Buffer.from(`\ufeff${german}`)],
  ['plain letters', 'utf-8', Buffer.from('a;b\n1;2\n')],
  ['UTF-16 with its mark', 'utf-16le', iconv.encode(german, 'utf-16le', { addBOM: true })],
  ['UTF-16 the other way round', 'utf-16be', iconv.encode(german, 'utf-16be', { addBOM: true })],
  ['UTF-16 without a mark', 'utf-16le', iconv.encode(german, 'utf-16le', { addBOM: false })],
  ['UTF-16 the other way round, without a mark', 'utf-16be', iconv.encode(german, 'utf-16be', { addBOM: false })],
])('%s needs no question', (_, encoding, bytes) => {
  expect(guessEncoding(bytes)).toEqual({ likely: [encoding], isSure: true })
  expect(decode(bytes, encoding).replace('a;b\n1;2\n', german)).toBe(german)
})

it('what is no letter stays apart from a replacement sign that stands in the file', () => {
  const text = decode(Buffer.concat([Buffer.from('a;\ufffd\nb;ü;'), Buffer.from([0xfc, 0x0a])]), 'utf-8')
  expect(text).toBe('a;\ufffd\nb;ü;\ufdd0\n')
})

it('half a letter of a pair is no letter', () => {
  const bytes = Buffer.from('a\ud800b', 'utf16le')
  expect(decode(bytes, 'utf-16le')).toBe('a\ufdd0b')
})

it('a file of several encodings keeps its lines in UTF-8 as a choice', () => {
  const mixed = Buffer.concat([
    Buffer.from('Jürgen;日本\n'),
    iconv.encode(french, 'windows-1252'),
    iconv.encode(russian, 'koi8-r'),
    iconv.encode(japanese, 'shift_jis'),
  ])
  const { likely, isSure } = guessEncoding(mixed)
  expect(isSure).toBe(false)
  expect(likely).toContain('utf-8')
  expect(decode(mixed, 'utf-8').split('\n')[0]).toBe('Jürgen;日本')
})

it('the lines that differ are shown as each encoding reads them', () => {
  const bytes = iconv.encode(german, 'windows-1252')
  const lines = differentLines(bytes, ['windows-1252', 'macintosh'], 1)
  expect(lines).toEqual([
    {
      line: 2,
      texts: { 'windows-1252': 'Jürgen;Müller;j@acme.example', macintosh: 'J¸rgen;M¸ller;j@acme.example' },
    },
  ])
})

it('a large file with its first letter far behind is judged by its lines with letters', () => {
  const bytes = iconv.encode(`a;b\r\n${'plain;text\r\n'.repeat(40_000)}${german}`, 'windows-1252')
  expect(guessEncoding(bytes).likely[0]).toBe('windows-1252')
})

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}
const decodedBy = async (bytes: Uint8Array, size: number): Promise<string> =>
  (await Array.fromAsync(decodeMarked(inPieces(bytes, size)))).join('')

it.each<[string, Uint8Array]>([
  ['UTF-8', Buffer.from(japanese)],
  ['UTF-8 with its mark', Buffer.from(`\ufeff${japanese}`)],
  ['UTF-16', iconv.encode(japanese, 'utf-16le', { addBOM: true })],
  ['UTF-16 the other way round', iconv.encode(japanese, 'utf-16be', { addBOM: true })],
])('a stream of %s is the same text in pieces of any size', async (_, bytes) => {
  for (const size of [1, 2, 3, 7, 10_000]) expect(await decodedBy(bytes, size)).toBe(japanese)
})

it.each(['', 'a', 'ab'])('a stream of %j is not lost', async (text) => {
  expect(await decodedBy(Buffer.from(text), 1)).toBe(text)
})

it.each<[string, Uint8Array, string]>([
  [
    'another encoding',
    iconv.encode(german, 'windows-1252'),
    'no UTF-8. It seems to be in windows-1252. Save it as CSV in UTF-8',
  ],
  ['half a letter at its end', Buffer.from('a;\u00fc').subarray(0, 3), 'no UTF-8'],
  ['half a pair', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a\ud800b', 'utf16le')]), 'no UTF-16LE'],
])('a stream of %s is refused', async (_, bytes, problem) => {
  await expect(decodedBy(bytes, 1_000)).rejects.toThrow(problem)
})
