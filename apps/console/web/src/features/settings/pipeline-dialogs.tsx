import { lead } from '@crm/model'
import { NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { fieldErrors, isRefusedWith } from '../../base/refusals.ts'
import { useChange } from '../../shell/changes.ts'
import { ConfirmDialog } from '../../shell/confirm-dialog.tsx'
import { FormDialog } from '../../shell/form-dialog.tsx'
import type { Pipeline, Stage } from './settings-queries.ts'
import { t } from './texts.ts'

const stale = ['pipelines', 'leads']

/** The kinds of pipelines in words. */
export const pipelineKinds = { LEAD: t('Leads'), DEAL: t('Deals') } as const

/** Asks for the name and the rules of a pipeline; a new one begins with one open stage. */
export function PipelineDialog({ pipeline, onClose }: { readonly pipeline: Pipeline | null; onClose(): void }) {
  const save = useChange(
    (form: FormData) => {
      const isOn = (name: string) => form.get(name) !== null
      const body = {
        name: textIn(form, 'name'),
        rules: { noSkipping: isOn('noSkipping'), noBackwards: isOn('noBackwards') },
      }
      if (pipeline)
        return crm.pipelines.update({
          params: { id: pipeline.id },
          body: { ...body, ...(isOn('isDefault') && !pipeline.isDefault ? { isDefault: true } : {}) },
        })
      return crm.pipelines.create({
        body: {
          ...body,
          entityType: textIn(form, 'entityType') === 'DEAL' ? 'DEAL' : lead.entity,
          stages: [{ name: t('New') }],
        },
      })
    },
    { said: t('Saved'), stale, onDone: onClose },
  )
  const errors = fieldErrors(save.error)
  const nameError = isRefusedWith(save.error, 'NAME_TAKEN') ? t('Another pipeline has this name') : errors['name']
  return (
    <FormDialog
      opened
      title={pipeline ? t('Edit the pipeline') : t('New pipeline')}
      submit={t('Save')}
      isBusy={save.isPending}
      error={nameError === undefined ? save.error : null}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TextInput
        name="name"
        label={t('Name')}
        defaultValue={pipeline?.name}
        error={nameError}
        maxLength={100}
        required
        withAsterisk={false}
        autoComplete="off"
        data-autofocus
      />
      {!pipeline && (
        <NativeSelect
          name="entityType"
          label={t('Record type')}
          data={[
            { value: lead.entity, label: t('Leads') },
            { value: 'DEAL', label: t('Deals') },
          ]}
        />
      )}
      <Switch
        name="noSkipping"
        label={t('Prevent skipping stages')}
        defaultChecked={pipeline?.rules.noSkipping ?? false}
      />
      <Switch
        name="noBackwards"
        label={t('Prevent moving back')}
        defaultChecked={pipeline?.rules.noBackwards ?? false}
      />
      {pipeline && !pipeline.isDefault && <Switch name="isDefault" label={t('New records start here')} />}
    </FormDialog>
  )
}

/** Asks for a confirmation before a pipeline is deleted. */
export function DeletePipelineDialog({ pipeline, onClose }: { readonly pipeline: Pipeline; onClose(): void }) {
  const remove = useChange(() => crm.pipelines.delete({ params: { id: pipeline.id } }), {
    said: t('Pipeline deleted'),
    stale,
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t('Delete this pipeline?')}
      confirm={t('Delete')}
      isDestructive
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined)}
    >
      {t.rich('<b>{name}</b> is deleted with its stages. Move its records to another pipeline first.', {
        name: pipeline.name,
        b: (text) => <b>{text}</b>,
      })}
    </ConfirmDialog>
  )
}

/** Asks for a confirmation before a stage is deleted, and for the new stage of its records. */
export function DeleteStageDialog({
  pipeline,
  stage,
  onClose,
}: {
  readonly pipeline: Pipeline
  readonly stage: Stage
  onClose(): void
}) {
  const [moveToStageId, setTarget] = useState('')
  const remove = useChange(
    () =>
      crm.pipelineStages.delete({
        params: { pipelineId: pipeline.id, id: stage.id },
        query: moveToStageId === '' ? {} : { moveToStageId },
      }),
    { said: t('Stage deleted'), stale, onDone: onClose },
  )
  const others = pipeline.stages.filter(({ id }) => id !== stage.id).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t('Delete this stage?')}
      confirm={t('Delete')}
      isDestructive
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(undefined)}
    >
      <Stack>
        <Text size="sm">
          {t.rich('<b>{name}</b> is deleted for good.', { name: stage.name, b: (text) => <b>{text}</b> })}
        </Text>
        <NativeSelect
          label={t('Move its deals to')}
          value={moveToStageId}
          onChange={(event) => setTarget(event.currentTarget.value)}
          data={[{ value: '', label: t('No value') }, ...others]}
        />
      </Stack>
    </ConfirmDialog>
  )
}

/** Asks for the new stage of each stage's records in another pipeline. */
export function TransferDialog({
  pipeline,
  others,
  onClose,
}: {
  readonly pipeline: Pipeline
  readonly others: readonly Pipeline[]
  onClose(): void
}) {
  const [targetId, setTargetId] = useState(others[0]?.id ?? '')
  const target = others.find(({ id }) => id === targetId)
  const transfer = useChange(
    (form: FormData) => {
      const chosen = pipeline.stages.map(({ id }) => [id, textIn(form, id)] as const).filter(([, to]) => to !== '')
      return crm.pipelines.transfer({
        params: { id: pipeline.id },
        body: { toPipelineId: targetId, stageMap: Object.fromEntries(chosen) },
      })
    },
    { said: t('Records moved'), stale, onDone: onClose },
  )
  const errors = fieldErrors(transfer.error)
  return (
    <FormDialog
      opened
      title={t('Move the records of {name}', { name: pipeline.name })}
      submit={t('Move')}
      isBusy={transfer.isPending}
      error={transfer.error}
      onSubmit={transfer.mutate}
      onClose={onClose}
    >
      <NativeSelect
        label={t('To the pipeline')}
        value={targetId}
        onChange={(event) => setTargetId(event.currentTarget.value)}
        data={others.map(({ id, name }) => ({ value: id, label: name }))}
      />
      {target &&
        pipeline.stages.map(({ id, name }, at) => (
          <NativeSelect
            key={`${target.id} ${id}`}
            name={id}
            label={t('From {name} to', { name })}
            defaultValue={target.stages[Math.min(at, target.stages.length - 1)]?.id}
            error={errors[`stageMap.${id}`]}
            data={target.stages.map((stage) => ({ value: stage.id, label: stage.name }))}
          />
        ))}
    </FormDialog>
  )
}
