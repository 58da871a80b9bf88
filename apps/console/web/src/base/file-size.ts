const units = ['B', 'KB', 'MB', 'GB'] as const

/** Formats a file size for people: `0 B`, `1.5 KB`, `24 MB`. */
export function describeSize(bytes: number): string {
  const power = Math.min(bytes === 0 ? 0 : Math.floor(Math.log2(bytes) / 10), units.length - 1)
  const amount = bytes / 1024 ** power
  return `${amount < 10 ? Number(amount.toFixed(1)) : Math.round(amount)} ${units[power]}`
}
