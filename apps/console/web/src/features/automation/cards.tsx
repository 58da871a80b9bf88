import type { ReactNode } from 'react'
import { Icon, type IconName } from '../../shell/icons.tsx'
import { Pill } from '../../shell/pill.tsx'
import classes from './automation.module.css'
import type { FlowProps } from './flow-props.ts'
import type { RunLook } from './run-look.ts'
import { choiceOf, triggerPlace, type Place, type StepChoice, type WorkflowStep } from './steps.ts'
import { stepName, triggerName } from './summary.ts'
import { choiceNames } from './choice-words.ts'
import { t } from './texts.ts'

const icons: Readonly<Record<StepChoice, IconName>> = {
  task: 'tasks',
  create: 'plus',
  update: 'fields',
  owner: 'person',
  find: 'search',
  email: 'inbox',
  request: 'connection',
  wait: 'clock',
  branch: 'flow',
  values: 'list',
  start: 'rule',
}

/** The trigger as a button that opens its panel. */
export function TriggerCard({ trigger, words, ...flow }: FlowProps) {
  return (
    <Card {...flow} place={triggerPlace} icon="rule" kind={t('When')}>
      {triggerName(trigger, words.kinds)}
    </Card>
  )
}

/** A step as a button that opens its panel. */
export function StepCard({
  step,
  position,
  words,
  looks,
  ...flow
}: FlowProps & { readonly step: WorkflowStep; readonly position: string }) {
  const choice = choiceOf(step)
  return (
    <Card {...flow} place={position} icon={icons[choice]} kind={choiceNames[choice]} look={looks?.get(position)}>
      {stepName(step, words)}
    </Card>
  )
}

interface CardProps extends Pick<FlowProps, 'selected' | 'wrong' | 'onSelect'> {
  readonly place: Place
  readonly icon: IconName
  readonly kind: string
  readonly look?: RunLook | undefined
  readonly children: ReactNode
}

function Card({ place, selected, wrong, onSelect, icon, kind, look, children }: CardProps) {
  return (
    <button
      type="button"
      className={classes.card}
      aria-current={selected === place ? 'true' : undefined}
      data-wrong={wrong.has(place)}
      data-tone={look?.tone}
      onClick={() => onSelect(place)}
    >
      <span className={classes.cardIcon}>
        <Icon name={icon} size={18} />
      </span>
      <span className={classes.cardText}>
        <span className={classes.cardKind}>
          {kind}
          {wrong.has(place) && <span className={classes.cardProblem}>{t('Needs attention')}</span>}
          {look && <Pill tone={look.tone}>{look.text}</Pill>}
        </span>
        <span className={classes.cardTitle}>{children}</span>
      </span>
    </button>
  )
}
