import classes from './pill.module.css'

const tones = ['neutral', 'blue', 'teal', 'green', 'amber', 'red'] as const
export type Tone = (typeof tones)[number]

/** A short state: a coloured dot with its name, so that colour is never the only sign. */
export function Pill({ tone = 'neutral', children }: { readonly tone?: Tone; readonly children: string }) {
  return (
    <span className={classes.pill} data-tone={tone}>
      <span className={classes.dot} aria-hidden="true" />
      {children}
    </span>
  )
}
