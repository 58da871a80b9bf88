import { lead } from '@crm/model'
import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { crm } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'
import { RecordTable, RowButton, RowTitle } from '../../records/record-table.tsx'
import tables from '../../records/table.module.css'
import { useChange } from '../../shell/changes.ts'
import { Icon } from '../../shell/icons.tsx'
import { Page, Panel } from '../../shell/page.tsx'
import { Pill } from '../../shell/pill.tsx'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import {
  DeletePipelineDialog,
  DeleteStageDialog,
  PipelineDialog,
  pipelineKinds,
  TransferDialog,
} from './pipeline-dialogs.tsx'
import { allPipelinesQuery, type Pipeline, type Stage } from './settings-queries.ts'
import { StageDialog, stageTypeNames } from './stage-dialog.tsx'
import { inDigits } from '../../base/texts.ts'
import { t } from './texts.ts'

/** The open dialog. */
type Asked =
  | { readonly what: 'pipeline'; readonly pipeline: Pipeline | null }
  | { readonly what: 'delete pipeline' | 'transfer'; readonly pipeline: Pipeline }
  | { readonly what: 'stage'; readonly pipeline: Pipeline; readonly stage: Stage | null }
  | { readonly what: 'delete stage'; readonly pipeline: Pipeline; readonly stage: Stage }

/** The pipelines of leads and deals. */
export function PipelinesPage() {
  const { may } = useSession()
  const mayChange = may('MANAGE_REFERENCE_DATA')
  const [asked, setAsked] = useState<Asked | null>(null)
  const { data, error, refetch } = useQuery(allPipelinesQuery)
  const close = () => setAsked(null)
  return (
    <Page
      title={t('Pipelines')}
      note={t('The stages that leads and deals go through.')}
      narrow
      actions={
        mayChange && (
          <Button
            leftSection={<Icon name="plus" size={16} />}
            onClick={() => setAsked({ what: 'pipeline', pipeline: null })}
          >
            {t('New pipeline')}
          </Button>
        )
      }
    >
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined && error === null && <LoadingLines label={t('Loading pipelines')} />}
      {data?.map((pipeline) => (
        <PipelinePanel
          key={pipeline.id}
          pipeline={pipeline}
          others={counterparts(data, pipeline)}
          mayChange={mayChange}
          onAsk={setAsked}
        />
      ))}
      {asked !== null && <AskedDialog asked={asked} all={data ?? []} onClose={close} />}
    </Page>
  )
}

function counterparts(all: readonly Pipeline[], { id, entityType }: Pipeline): readonly Pipeline[] {
  return all.filter((other) => other.id !== id && other.entityType === entityType)
}

function AskedDialog({
  asked,
  all,
  onClose,
}: {
  readonly asked: Asked
  readonly all: readonly Pipeline[]
  onClose(): void
}) {
  if (asked.what === 'pipeline') return <PipelineDialog pipeline={asked.pipeline} onClose={onClose} />
  if (asked.what === 'stage') return <StageDialog pipeline={asked.pipeline} stage={asked.stage} onClose={onClose} />
  if (asked.what === 'delete stage')
    return <DeleteStageDialog pipeline={asked.pipeline} stage={asked.stage} onClose={onClose} />
  if (asked.what === 'transfer')
    return <TransferDialog pipeline={asked.pipeline} others={counterparts(all, asked.pipeline)} onClose={onClose} />
  return <DeletePipelineDialog pipeline={asked.pipeline} onClose={onClose} />
}

interface PipelinePanelProps {
  readonly pipeline: Pipeline
  readonly others: readonly Pipeline[]
  readonly mayChange: boolean
  onAsk(asked: Asked): void
}

function PipelinePanel({ pipeline, others, mayChange, onAsk }: PipelinePanelProps) {
  const { name, entityType, isDefault, isActive, stages } = pipeline
  const actions = mayChange && (
    <div className={tables.actions}>
      <Button
        variant="default"
        size="xs"
        aria-label={t('New stage of {name}', { name })}
        onClick={() => onAsk({ what: 'stage', pipeline, stage: null })}
      >
        {t('New stage')}
      </Button>
      <Button
        variant="default"
        size="xs"
        aria-label={t('Edit {name}', { name })}
        onClick={() => onAsk({ what: 'pipeline', pipeline })}
      >
        {t('Edit')}
      </Button>
      {others.length > 0 && (
        <Button
          variant="default"
          size="xs"
          aria-label={t('Move the records of {name}', { name })}
          onClick={() => onAsk({ what: 'transfer', pipeline })}
        >
          {t('Move records')}
        </Button>
      )}
      {!isDefault && (
        <Button
          variant="subtle"
          color="red"
          size="xs"
          aria-label={t('Delete {name}', { name })}
          onClick={() => onAsk({ what: 'delete pipeline', pipeline })}
        >
          {t('Delete')}
        </Button>
      )}
    </div>
  )
  const note = [
    pipelineKinds[entityType],
    ...(isDefault ? [t('new ones start here')] : []),
    ...(isActive ? [] : [t('not in use')]),
  ].join(', ')
  return (
    <Panel title={name} note={note} actions={actions} flush>
      <StageTable pipeline={pipeline} stages={stages} mayChange={mayChange} onAsk={onAsk} />
    </Panel>
  )
}

const tones = { OPEN: 'blue', WON: 'green', LOST: 'neutral' } as const

function StageTable({
  pipeline,
  stages,
  mayChange,
  onAsk,
}: {
  readonly pipeline: Pipeline
  readonly stages: readonly Stage[]
  readonly mayChange: boolean
  onAsk(asked: Asked): void
}) {
  const move = useChange(
    ({ id, position }: { id: string; position: number }) =>
      crm.pipelineStages.update({ params: { pipelineId: pipeline.id, id }, body: { position } }),
    { said: t('Stage moved'), stale: ['schema', 'pipelines', 'leads'] },
  )
  return (
    <>
      <RefusalAlert error={move.error} />
      <RecordTable
        label={t('Stages of {name}', { name: pipeline.name })}
        rows={stages}
        columns={[
          {
            label: t('Stage'),
            cell: ({ name, color }) => (
              <RowTitle>
                <Pill color={color}>{name}</Pill>
              </RowTitle>
            ),
          },
          {
            label: t('Type'),
            isExtra: true,
            cell: ({ type }) => <Pill tone={tones[type]}>{stageTypeNames[type]}</Pill>,
          },
          pipeline.entityType !== lead.entity && {
            label: t('Probability'),
            isNumber: true,
            cell: ({ probability }) =>
              probability === null ? '–' : inDigits(probability / 100, { style: 'percent', maximumFractionDigits: 0 }),
          },
        ]}
        onMove={
          mayChange ? (stage, place) => move.mutate({ id: stage.id, position: positionAt(stage, place) }) : undefined
        }
        actions={
          mayChange &&
          ((stage) => {
            const at = stages.indexOf(stage)
            const [before, after] = [stages[at - 1], stages[at + 1]]
            return (
              <>
                <ActionIcon
                  variant="default"
                  size={30}
                  aria-label={t('Move {name} up', { name: stage.name })}
                  disabled={before === undefined || move.isPending}
                  onClick={() => before && move.mutate({ id: stage.id, position: before.position })}
                >
                  <Icon name="up" size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="default"
                  size={30}
                  aria-label={t('Move {name} down', { name: stage.name })}
                  disabled={after === undefined || move.isPending}
                  onClick={() => after && move.mutate({ id: stage.id, position: after.position + 1 })}
                >
                  <Icon name="down" size={16} />
                </ActionIcon>
                <RowButton
                  verb={t('Edit')}
                  name={stage.name}
                  onClick={() => onAsk({ what: 'stage', pipeline, stage })}
                />
                <RowButton
                  verb={t('Delete')}
                  name={stage.name}
                  isDestructive
                  onClick={() => onAsk({ what: 'delete stage', pipeline, stage })}
                />
              </>
            )
          })
        }
      />
    </>
  )
}

/** Returns the position that puts a stage in the place of another one: the others make room behind it. */
function positionAt(stage: Stage, place: Stage): number {
  return stage.position < place.position ? place.position + 1 : place.position
}
