import { Alert, Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { countOfKnown } from '../../records/kind-words.ts'
import { addressOf } from '../../records/record-place.ts'
import { RecordTable, RowNote, RowTitle } from '../../records/record-table.tsx'
import { Panel } from '../../shell/page.tsx'
import { inDigits, inList } from '../../base/texts.ts'
import type { Migration } from './migration-queries.ts'
import { problemInWords } from './migration-words.ts'
import classes from './moving.module.css'
import { t } from './texts.ts'

type Result = NonNullable<Migration['result']>
type FileResult = Result['files'][number]

/** What a trial found, or what an import did: green only when everything came in. */
export function ResultPanel({ migration }: { readonly migration: Migration }) {
  const { id, result, state, reverted, remains } = migration
  if (result === null) return null
  const isTrial = result.phase === 'CHECK'
  return (
    <Panel title={isTrial ? t('moving.trialResult') : t('moving.result')}>
      <div className={classes.stack}>
        {(state === 'CHECKED' || state === 'DONE') && <Verdict result={result} />}
        {state === 'CANCELLED' && <Alert color="yellow">{t('moving.canceled')}</Alert>}
        {state === 'REVERTED' && <Alert color="blue">{t('moving.undone', { count: reverted })}</Alert>}
        <RecordTable
          label={isTrial ? t('moving.trialResult') : t('moving.result')}
          rows={result.files}
          columns={[
            { label: t('moving.file'), cell: ({ name }) => <RowTitle>{name}</RowTitle> },
            { label: t('moving.created'), isNumber: true, cell: ({ created }) => inDigits(created) },
            { label: t('moving.updated'), isNumber: true, isExtra: true, cell: ({ updated }) => inDigits(updated) },
            { label: t('moving.merged'), isNumber: true, isExtra: true, cell: ({ merged }) => inDigits(merged) },
            { label: t('moving.skippedRows'), isNumber: true, isExtra: true, cell: ({ skipped }) => inDigits(skipped) },
            { label: t('moving.failed'), isNumber: true, cell: ({ failed }) => inDigits(failed) },
          ]}
        />
        {Object.keys(result.made).length > 0 && (
          <Text size="sm">
            {t('moving.made', {
              list: inList(Object.entries(result.made).map(([kind, count]) => countOfKnown(kind, count) ?? kind)),
            })}
          </Text>
        )}
        {result.files.map((file) => (
          <Problems key={file.id} file={file} />
        ))}
        {result.files.some(({ problemCount }) => problemCount > 0) && (
          <Anchor size="sm" href={`/api/settings/migrations/${id}/problems.csv`} download="problems.csv">
            {t('moving.allProblems')}
          </Anchor>
        )}
        {remains.length > 0 && (
          <RecordTable
            label={t('moving.remains')}
            rows={remains}
            columns={[
              {
                label: t('moving.remainsNote'),
                cell: ({ entityType, id: entityId, title }) => (
                  <Link {...addressOf({ entityType, entityId })}>{title}</Link>
                ),
              },
            ]}
          />
        )}
      </div>
    </Panel>
  )
}

function Verdict({ result: { phase, failed, files } }: { readonly result: Result }) {
  const isTrial = phase === 'CHECK'
  const cells = files.flatMap(({ problems }) => problems.filter(({ isRow }) => !isRow)).length
  const problems = files.reduce((sum, { problemCount }) => sum + problemCount, 0)
  if (failed === 0 && problems === 0)
    return <Alert color="green">{isTrial ? t('moving.allWouldCome') : t('moving.allIn')}</Alert>
  return (
    <Alert color="yellow" role="status">
      {failed > 0 && <div>{t(isTrial ? 'moving.notAllWouldCome' : 'moving.notAllIn', { count: failed })}</div>}
      {cells > 0 && (
        <div>
          {t(isTrial ? 'moving.someValuesWould' : 'moving.someValues', { count: Math.max(cells, problems - failed) })}
        </div>
      )}
    </Alert>
  )
}

function Problems({ file: { name, problems } }: { readonly file: FileResult }) {
  if (problems.length === 0) return null
  return (
    <RecordTable
      label={t('moving.problemsOf', { name })}
      rows={problems}
      columns={[
        { label: t('moving.line'), isNumber: true, cell: ({ line }) => inDigits(line) },
        { label: t('moving.column'), cell: ({ header }) => header ?? '' },
        {
          label: t('moving.reason'),
          cell: (problem) => (
            <>
              {problemInWords(problem)}
              <RowNote>{problem.isRow ? t('moving.wholeRow') : t('moving.onlyValue')}</RowNote>
            </>
          ),
        },
      ]}
    />
  )
}
