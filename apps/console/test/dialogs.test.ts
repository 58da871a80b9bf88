import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** The dialogs in which nobody types. */
const withoutText = ['shell/dialog.tsx', 'shell/confirm-dialog.tsx', 'shell/sign-in-again.tsx']

it('every dialog asks before it loses what somebody typed', () => {
  const source = new URL('../web/src/', import.meta.url).pathname
  const own = globSync('**/*.tsx', { cwd: source }).filter((file) =>
    /<(?:Modal|Drawer)\b/.test(readFileSync(`${source}${file}`, 'utf8')),
  )
  expect(own.toSorted()).toEqual(withoutText.toSorted())
})
