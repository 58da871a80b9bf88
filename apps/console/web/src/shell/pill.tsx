import classes from './pill.module.css'

const tones = ['neutral', 'blue', 'teal', 'green', 'amber', 'red'] as const
export type Tone = (typeof tones)[number]

interface PillProps {
  readonly tone?: Tone
  /** A colour that people chose, instead of a tone. */
  readonly color?: string | null
  readonly children: string
}

/** A short state: a coloured dot with its name, so that colour is never the only sign. */
export function Pill({ tone = 'neutral', color, children }: PillProps) {
  return (
    <span className={classes.pill} data-tone={tone}>
      <span className={classes.dot} style={{ background: color ?? undefined }} aria-hidden="true" />
      {children}
    </span>
  )
}
