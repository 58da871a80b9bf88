const mark = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='8' fill='#3b55b0'/><path d='M9 10.5h14M9 16h9M9 21.5h5' stroke='#fff' stroke-width='2.6' stroke-linecap='round'/><circle cx='22' cy='20' r='3.4' fill='none' stroke='#b6c1e8' stroke-width='2.4'/></svg>`

/**
 * The icon of a page, for its head. A browser requests `/favicon.ico` on every page without an icon.
 *
 * The policy of the page must allow images of the scheme `data:`.
 */
export const pageIcon = `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(mark)}">`
