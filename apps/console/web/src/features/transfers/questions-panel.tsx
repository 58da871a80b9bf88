import { lead } from '@crm/model'
import type { MigrationFilePlan, MigrationPlan, MigrationPlanChange } from '@crm/contract'
import { NativeSelect, Radio, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { knownCurrenciesQuery, currencyChoices } from '../../base/currencies.ts'
import { useDirectory } from '../../base/people.ts'
import { inDigits } from '../../base/texts.ts'
import { kindName } from '../../records/kind-words.ts'
import { usePipelines } from '../../records/pipelines.ts'
import { Panel } from '../../shell/page.tsx'
import { decimalName, encodingName, orderName } from './migration-words.ts'
import classes from './moving.module.css'
import { TypedSelect } from '../../shell/typed-select.tsx'
import { t } from './texts.ts'

interface QuestionsProps {
  readonly plan: MigrationPlan
  readonly isLocked: boolean
  onChange(change: MigrationPlanChange): void
}

/** What the files alone do not say: how they are written, and what their stages, owners and currencies are here. */
export function QuestionsPanel({ plan, isLocked, onChange }: QuestionsProps) {
  const files = plan.files.filter(({ kind, problem }) => kind !== null && problem === null)
  const isAsked =
    files.some(isUnclear) || plan.stages.length > 0 || plan.owners.length > 0 || plan.currencies.length > 0
  return (
    <Panel
      title={t('Questions')}
      note={isAsked ? t('The files alone do not answer these.') : t('No questions: the files are clear.')}
    >
      {isAsked && (
        <div className={classes.questions}>
          {files.map((file) => (
            <FileQuestions key={file.id} file={file} isLocked={isLocked} onChange={onChange} />
          ))}
          <Stages plan={plan} isLocked={isLocked} onChange={onChange} />
          <Owners plan={plan} isLocked={isLocked} onChange={onChange} />
          <Currencies plan={plan} isLocked={isLocked} onChange={onChange} />
        </div>
      )}
    </Panel>
  )
}

function phoneColumns({ columns }: MigrationFilePlan) {
  return columns.filter(({ field, format }) => field !== null && format.validWithPlus !== null)
}

function isUnclear(file: MigrationFilePlan): boolean {
  return [file.encodings, file.orders, file.decimals].some(({ length }) => length > 1) || phoneColumns(file).length > 0
}

interface FileQuestionsProps extends Omit<QuestionsProps, 'plan'> {
  readonly file: MigrationFilePlan
}

function FileQuestions({ file, isLocked, onChange }: FileQuestionsProps) {
  const { id, name } = file
  const change = (next: Omit<NonNullable<MigrationPlanChange['files']>[number], 'id'>) =>
    onChange({ files: [{ id, ...next }] })
  return (
    <>
      {file.encodings.length > 1 && (
        <Radio.Group
          label={t('Letters in {name}', { name })}
          description={t('Choose the line that reads right.')}
          value={file.encoding ?? ''}
          onChange={(encoding) => change({ encoding })}
        >
          <Stack gap="xs" mt="xs">
            {file.encodings.map((encoding) => (
              <Radio
                key={encoding}
                value={encoding}
                disabled={isLocked}
                label={encodingName(encoding)}
                description={file.previews[0]?.texts[encoding]}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {file.orders.length > 1 && (
        <NativeSelect
          label={t('Dates in {name}', { name })}
          value={file.order ?? ''}
          disabled={isLocked}
          onChange={({ currentTarget }) =>
            change({ order: file.orders.find((order) => order === currentTarget.value) ?? null })
          }
          data={file.orders.map((value) => ({
            value,
            label: orderName(value),
          }))}
        />
      )}
      {file.decimals.length > 1 && (
        <NativeSelect
          label={t('Numbers in {name}', { name })}
          value={file.decimal ?? ''}
          disabled={isLocked}
          onChange={({ currentTarget }) =>
            change({ decimal: file.decimals.find((decimal) => decimal === currentTarget.value) ?? null })
          }
          data={file.decimals.map((value) => ({
            value,
            label: decimalName(value),
          }))}
        />
      )}
      {phoneColumns(file).map(({ at, header, format }) => (
        <NativeSelect
          key={at}
          label={t('Phone numbers in {header}', { header })}
          description={t('Valid with a plus in front: {share}', {
            share: inDigits(format.validWithPlus ?? 0, { style: 'percent', maximumFractionDigits: 0 }),
          })}
          value={format.phones ?? ''}
          disabled={isLocked}
          onChange={({ currentTarget }) =>
            change({
              columns: [
                { at, format: { phones: currentTarget.value === 'INTERNATIONAL' ? 'INTERNATIONAL' : 'NATIONAL' } },
              ],
            })
          }
          data={[
            { value: 'NATIONAL', label: t('Numbers as dialled at home') },
            { value: 'INTERNATIONAL', label: t('Numbers whose plus was lost') },
          ]}
        />
      ))}
    </>
  )
}

function Stages({ plan: { stages }, isLocked, onChange }: QuestionsProps) {
  const pipelines = { LEAD: usePipelines(lead.entity), DEAL: usePipelines('DEAL') }
  if (stages.length === 0) return null
  return (
    <>
      <h3 className={classes.group}>{t('Stages')}</h3>
      {stages.map(({ kind, pipeline, text, rows, stageId }) => {
        const known = kind === lead.entity ? pipelines.LEAD : pipelines.DEAL
        return (
          <NativeSelect
            key={[kind, pipeline, text].join('\n')}
            label={t('Stage “{text}”', { text: pipeline === null ? text : `${pipeline} › ${text}` })}
            description={`${kindName(kind)}, ${t('{count, plural, one {# row} other {# rows}}', { count: rows })}`}
            value={stageId ?? ''}
            disabled={isLocked}
            onChange={({ currentTarget }) =>
              onChange({ stages: [{ kind, pipeline, text, stageId: currentTarget.value || null }] })
            }
            data={[
              { value: '', label: t('First stage') },
              ...known.map(({ name, stages: those }) => ({
                group: name,
                items: those.map((stage) => ({ value: stage.id, label: stage.name })),
              })),
            ]}
          />
        )
      })}
    </>
  )
}

function Owners({ plan: { owners }, isLocked, onChange }: QuestionsProps) {
  const people = useDirectory()
  if (owners.length === 0) return null
  return (
    <>
      <h3 className={classes.group}>{t('Owners')}</h3>
      {owners.map(({ text, rows, employeeId }) => (
        <TypedSelect
          key={text}
          label={t('Owner “{text}”', { text })}
          description={t('{count, plural, one {# row} other {# rows}}', { count: rows })}
          placeholder={t('The owner of everything else')}
          value={employeeId}
          disabled={isLocked}
          searchable
          clearable
          onChange={(chosen) => onChange({ owners: [{ text, employeeId: chosen }] })}
          data={people.map(({ id, name }) => ({ value: id, label: name }))}
        />
      ))}
    </>
  )
}

function Currencies({ plan: { currencies }, isLocked, onChange }: QuestionsProps) {
  const { data: known = [] } = useQuery({ ...knownCurrenciesQuery, enabled: currencies.length > 0 })
  if (currencies.length === 0) return null
  return (
    <>
      <h3 className={classes.group}>{t('Currencies')}</h3>
      {currencies.map(({ text, rows, currency }) => (
        <TypedSelect
          key={text}
          label={t('Currency “{text}”', { text })}
          description={t('{count, plural, one {# row} other {# rows}}', { count: rows })}
          value={currency}
          disabled={isLocked}
          searchable
          onChange={(chosen) => onChange({ currencies: [{ text, currency: chosen }] })}
          data={currencyChoices(known, currency ?? known[0]?.code ?? '')}
        />
      ))}
    </>
  )
}
