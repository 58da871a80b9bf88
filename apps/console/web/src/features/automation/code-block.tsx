import { showJson } from './automation-words.ts'
import classes from './automation.module.css'

/** A complete value, as JSON or as plain text. */
export function CodeBlock({ label, value }: { readonly label: string; readonly value: unknown }) {
  return (
    <pre className={classes.code} aria-label={label} tabIndex={0}>
      {showJson(value)}
    </pre>
  )
}
