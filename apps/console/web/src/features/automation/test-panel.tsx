import { Button, Group, Stack, Textarea } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { settings } from '../../base/api.ts'
import { Panel } from '../../shell/page.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import { CodeBlock } from './code-block.tsx'
import { readValue, stepNames, type StepType } from './workflow-draft.ts'
import { t } from '../../base/texts.ts'

/** Shows the inputs that the steps would get, without any effect. */
export function TestPanel({ workflowId }: { readonly workflowId: string }) {
  const [text, setText] = useState('')
  const test = useMutation({
    mutationFn: () =>
      settings.workflows.test({
        params: { id: workflowId },
        body: text.trim() === '' ? {} : { data: readValue(text) },
      }),
  })
  return (
    <Panel title={t('automation.dryRun')} note={t('automation.testRunNothingIsCreated')}>
      <Stack>
        <Textarea
          label={t('automation.triggerData')}
          description={t('automation.jsonLeftEmptyTheLast')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autosize
          minRows={3}
          maxRows={16}
          spellCheck={false}
        />
        <Group justify="flex-end">
          <Button loading={test.isPending} onClick={() => test.mutate()}>
            {t('automation.tryIt')}
          </Button>
        </Group>
        <RefusalAlert error={test.error} />
        {test.data?.data.steps.map(({ position, key, type, input, problem }) => (
          <section key={position} aria-label={t('automation.stepKey', { key })}>
            <b>{`${key}: ${stepNames[type as StepType]}`}</b>
            {problem !== null && <p role="alert">{problem}</p>}
            <CodeBlock label={t('automation.inputOfKey', { key })} value={input} />
          </section>
        ))}
      </Stack>
    </Panel>
  )
}
