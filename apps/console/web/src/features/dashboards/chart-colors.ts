/** The colours of series, each readable beside its neighbours on light and on dark ground. */
const chartColors = [
  '#4a63c4',
  '#2a9d8f',
  '#e09f3e',
  '#b5577d',
  '#5fa8d3',
  '#8a6bbf',
  '#7a9e3f',
  '#d0694f',
  '#6c7a89',
] as const

/** The values that have a colour of their own everywhere. */
const meant: Readonly<Record<string, string>> = { WON: '#2a9d8f', LOST: '#d0694f' }

/** Returns the colour of a series by its key and its place. */
export function colorOf(key: string, at: number): string {
  return meant[key] ?? chartColors[at % chartColors.length] ?? chartColors[0]
}
