import { SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState, type ReactNode } from 'react'
import { later } from '../../shell/later.tsx'
import { LoadingLines } from '../../shell/states.tsx'
import { AddStep } from './add-step.tsx'
import { StepCard, TriggerCard } from './cards.tsx'
import classes from './automation.module.css'
import type { FlowProps } from './flow-props.ts'
import { triggerPlace, type WorkflowStep } from './steps.ts'
import { branchNames } from './choice-words.ts'
import { t } from './texts.ts'

const Canvas = later(
  async () => (await import('./canvas.tsx')).Canvas,
  () => <LoadingLines />,
)

interface FlowViewProps extends FlowProps {
  /** What is shown beside the chosen node, or below it on a phone. */
  readonly panel: ReactNode
}

const phone = '(max-width: 62em)'

/** A workflow as a drawing, or as a list on phones and for those who like it better, with a panel for the chosen node. */
export function FlowView({ panel, ...flow }: FlowViewProps) {
  const isNarrow = useMediaQuery(phone, matchMedia(phone).matches, { getInitialValueInEffect: false })
  const [form, setForm] = useState('canvas')
  const isList = isNarrow || form === 'list'
  return (
    <div className={classes.editor}>
      <section className={classes.canvas} aria-label={t('Canvas')}>
        {!isNarrow && (
          <SegmentedControl
            className={classes.form}
            size="xs"
            aria-label={t('View')}
            value={form}
            onChange={setForm}
            data={[
              { value: 'canvas', label: t('Canvas') },
              { value: 'list', label: t('List') },
            ]}
          />
        )}
        {isList ? <FlowList {...flow} panel={isNarrow ? panel : null} /> : <Canvas {...flow} />}
      </section>
      {!isNarrow && panel}
    </div>
  )
}

function FlowList({ panel, ...flow }: FlowViewProps) {
  return (
    <div className={classes.list}>
      <TriggerCard {...flow} />
      {flow.selected === triggerPlace && panel}
      <StepList {...flow} panel={panel} list={flow.steps} before="" label={t('Steps')} />
    </div>
  )
}

interface StepListProps extends FlowViewProps {
  readonly list: readonly WorkflowStep[]
  /** The beginning of the places of its steps. */
  readonly before: string
  readonly label: string
}

function StepList({ list, before, label, panel, ...flow }: StepListProps) {
  const end = `${before}${list.length}`
  return (
    <>
      <ol className={classes.steps} aria-label={label}>
        {list.map((step, at) => {
          const position = `${before}${at}`
          return (
            <li key={step.key}>
              <StepCard {...flow} step={step} position={position} />
              {flow.selected === position && panel}
              {step.type === 'CONDITION' &&
                (['then', 'else'] as const).map((branch) => (
                  <div key={branch} className={classes.branch}>
                    <div className={classes.branchName}>{branchNames[branch]}</div>
                    <StepList
                      {...flow}
                      panel={panel}
                      list={step[branch]}
                      before={`${position}.${branch}.`}
                      label={branchNames[branch]}
                    />
                  </div>
                ))}
            </li>
          )
        })}
      </ol>
      {flow.onAdd && <AddStep onAdd={flow.onAdd} position={end} before={null} />}
    </>
  )
}
