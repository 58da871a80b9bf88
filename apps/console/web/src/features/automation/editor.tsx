import { entitiesWith } from '@crm/model'
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { lastRequestQuery, type Workflow } from './automation-queries.ts'
import classes from './automation.module.css'
import { draftOf } from './drafts.ts'
import { subjectTypeOf } from './events.ts'
import { FlowView } from './flow-view.tsx'
import { StepPanel } from './step-panel.tsx'
import {
  movedPosition,
  movedStep,
  newStep,
  positionIn,
  problemsBelow,
  stepAt,
  stepsBefore,
  triggerPlace,
  withoutStep,
  withStep,
  withStepAdded,
  type Place,
  type Subject,
  type WorkflowTrigger,
} from './steps.ts'
import { stepName, summaryOf, triggerName, wordsOf, type Words } from './summary.ts'
import { TriggerPanel } from './trigger-panel.tsx'
import type { DraftState } from './use-draft.ts'
import { useWords } from './use-words.ts'
import { stepVariables, triggerVariables } from './variables.ts'
import { Warnings } from './warnings.tsx'
import { t } from './texts.ts'

interface EditorProps {
  readonly workflow: Workflow
  readonly draft: DraftState
}

/** The kinds of records that tasks can be linked to. */
const linkable: readonly string[] = entitiesWith('hub')

/** Returns the record whose change starts a workflow; undefined without one. */
function subjectOf(trigger: WorkflowTrigger): Subject | undefined {
  if (trigger.type !== 'EVENT') return undefined
  const entityType = subjectTypeOf(trigger.event)
  return { entityType, isLinkable: linkable.includes(entityType) }
}

/** The editor of a workflow: its sentence, its drawing, and the settings of the chosen node. */
export function Editor({ workflow, draft }: EditorProps) {
  const { now, change } = draft
  const { trigger, steps } = now
  const [selected, setSelected] = useState<Place>(triggerPlace)
  const { data: last } = useQuery({ ...lastRequestQuery(workflow.id), enabled: trigger.type === 'WEBHOOK' })
  const words = wordsOf(now, useWords([now]), last?.body)
  const ofTrigger = triggerVariables(trigger, words.kinds, last?.body)
  const wrong = new Map(Object.keys(draft.errors).map((path) => [positionIn(path.split('.')) ?? triggerPlace, path]))
  const step = selected === triggerPlace ? undefined : stepAt(steps, selected)
  const subject = subjectOf(trigger)

  const move = (by: -1 | 1) => {
    const to = movedPosition(steps, selected, by)
    if (to === undefined) return undefined
    return () => {
      change({ steps: movedStep(steps, selected, to) })
      setSelected(to)
    }
  }
  const panel =
    step === undefined ? (
      <TriggerPanel
        trigger={trigger}
        words={words}
        variables={ofTrigger}
        errors={problemsBelow(draft.errors, 'trigger')}
        onChange={(next) => change({ trigger: next })}
      />
    ) : (
      <StepPanel
        key={`${selected} ${step.type}`}
        step={step}
        variables={[...ofTrigger, ...stepVariables(stepsBefore(steps, selected), words.kinds)]}
        words={words}
        subject={subject}
        errors={problemsBelow(draft.errors, `steps.${selected}`)}
        onChange={(next) => change({ steps: withStep(steps, selected, next) })}
        onMoveUp={move(-1)}
        onMoveDown={move(1)}
        onRemove={() => {
          change({ steps: withoutStep(steps, selected) })
          setSelected(triggerPlace)
        }}
      />
    )
  return (
    <Stack>
      <Summary text={summaryOf(now, words)} />
      <WorkflowWarnings workflow={workflow} words={words} />
      <FlowView
        trigger={trigger}
        steps={steps}
        words={words}
        selected={step === undefined ? triggerPlace : selected}
        wrong={new Set(wrong.keys())}
        panel={panel}
        onSelect={setSelected}
        onAdd={(choice, position) => {
          change({ steps: withStepAdded(steps, position, newStep(choice, steps, subject)) })
          setSelected(position)
        }}
      />
    </Stack>
  )
}

/** A workflow in a sentence. */
export function Summary({ text }: { readonly text: string }) {
  return (
    <section className={classes.summary} aria-label={t('Summary')}>
      <bdi>{text}</bdi>
    </section>
  )
}

/** Hints at parts of the saved workflow that may not work. */
function WorkflowWarnings({ workflow, words }: { readonly workflow: Workflow; readonly words: Words }) {
  const saved = draftOf(workflow)
  const nameOf = (path: readonly (string | number)[]) => {
    const place = positionIn(path)
    const step = place === undefined || place === triggerPlace ? undefined : stepAt(saved.steps, place)
    return step === undefined ? triggerName(saved.trigger, words.kinds) : stepName(step, words)
  }
  return <Warnings warnings={workflow.warnings} variables={words.variables} nameOf={nameOf} />
}
