import { lead } from '@crm/model'
import { leadStatuses, stageTypes } from '@crm/contract'
import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { crm } from '../../base/api.ts'
import { numberIn, textIn } from '../../base/form-text.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { inWords } from '../../records/field-words.ts'
import { useChange } from '../../shell/changes.ts'
import { DecimalInput } from '../../shell/decimal-input.tsx'
import { FormDialog } from '../../shell/form-dialog.tsx'
import type { Pipeline, Stage } from './settings-queries.ts'
import { t } from './texts.ts'

/** The types of stages in words. */
export const stageTypeNames = { OPEN: t('Open'), WON: t('Won'), LOST: t('Lost') } as const

const defaultColor = '#4c6ef5'

/** Asks for the facts about a stage; without one it makes a new stage, before the closed ones if it is open. */
export function StageDialog({
  pipeline,
  stage,
  onClose,
}: {
  readonly pipeline: Pipeline
  readonly stage: Stage | null
  onClose(): void
}) {
  const isOfLeads = pipeline.entityType === lead.entity
  const save = useChange(
    (form: FormData) => {
      const body = stageOf(form, isOfLeads)
      const { id: pipelineId } = pipeline
      return stage
        ? crm.pipelineStages.update({ params: { pipelineId, id: stage.id }, body })
        : crm.pipelineStages.create({ params: { pipelineId }, body: { ...body, ...placeOf(body.type, pipeline) } })
    },
    { said: t('Saved'), stale: ['schema', 'pipelines', 'leads'], onDone: onClose },
  )
  const errors = fieldErrors(save.error)
  const nameError = isRefusedWith(save.error, 'NAME_TAKEN')
    ? t('Another stage of the pipeline has this name')
    : errors['name']
  return (
    <FormDialog
      opened
      title={stage ? t('Edit the stage') : t('New stage of {name}', { name: pipeline.name })}
      submit={t('Save')}
      isBusy={save.isPending}
      error={nameError === undefined ? save.error : null}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TextInput
        name="name"
        label={t('Name')}
        defaultValue={stage?.name}
        error={nameError}
        maxLength={100}
        required
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NativeSelect
          name="type"
          label={t('Type')}
          defaultValue={stage?.type ?? 'OPEN'}
          error={errors['type']}
          data={stageTypes.map((value) => ({ value, label: stageTypeNames[value] }))}
        />
        <Outlook stage={stage} isOfLeads={isOfLeads} errors={errors} />
        <DecimalInput
          name="rottingDays"
          label={t('Rotting after (days)')}
          defaultValue={shownIn(stage?.rottingDays)}
          error={errors['rottingDays']}
        />
        <DecimalInput
          name="recordLimit"
          label={t('Limit on the board')}
          defaultValue={shownIn(stage?.recordLimit)}
          error={errors['recordLimit']}
        />
        <TextInput
          name="color"
          type="color"
          label={t('Color')}
          defaultValue={stage?.color ?? defaultColor}
          error={errors['color']}
        />
      </SimpleGrid>
    </FormDialog>
  )
}

/** Returns the position of a new stage: an open one comes before the stages in which records end. */
function placeOf(type: Stage['type'], { stages }: Pipeline): { readonly position?: number } {
  const closed = type === 'OPEN' ? stages.find((stage) => stage.type !== 'OPEN') : undefined
  return closed === undefined ? {} : { position: closed.position }
}

interface OutlookProps {
  readonly stage: Stage | null
  readonly isOfLeads: boolean
  readonly errors: Readonly<Record<string, string>>
}

/** What a stage says of its records: a status of leads, the probability of others. */
function Outlook({ stage, isOfLeads, errors }: OutlookProps) {
  return isOfLeads ? (
    <NativeSelect
      name="mappedStatus"
      label={t('Status of its leads')}
      defaultValue={stage?.mappedStatus ?? ''}
      error={errors['mappedStatus']}
      data={[
        { value: '', label: t('From the stage') },
        ...leadStatuses.map((value) => ({ value, label: inWords(value) })),
      ]}
    />
  ) : (
    <DecimalInput
      name="probability"
      label={t('Probability')}
      defaultValue={shownIn(stage?.probability)}
      error={errors['probability']}
    />
  )
}

function shownIn(number: number | null | undefined): string {
  return number === null || number === undefined ? '' : String(number)
}

function stageOf(form: FormData, isOfLeads: boolean) {
  const text = (name: string) => textIn(form, name).trim()
  const mappedStatus = leadStatuses.find((status) => status === text('mappedStatus')) ?? null
  return {
    name: text('name'),
    type: stageTypes.find((type) => type === text('type')) ?? 'OPEN',
    color: text('color'),
    rottingDays: numberIn(form, 'rottingDays'),
    recordLimit: numberIn(form, 'recordLimit'),
    ...(isOfLeads ? { mappedStatus } : { probability: numberIn(form, 'probability') }),
  }
}
