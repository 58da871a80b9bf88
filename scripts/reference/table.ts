/** Returns a Markdown table; bars in cells are escaped and line breaks become spaces. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Returns the first lines of every generated page. */
export function pageHead(title: string, text: string): string {
  return `<!-- Written by npm run reference. -->\n\n# ${title}\n\n${text}\n`
}
