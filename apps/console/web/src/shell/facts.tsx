import type { ReactNode } from 'react'
import classes from './facts.module.css'

/** Names and values below each other; an empty value shows a dash. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name} className={classes.fact}>
          <dt>{name}</dt>
          <dd>
            {value === null || value === undefined || value === '' ? <span className={classes.nothing}>–</span> : value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
