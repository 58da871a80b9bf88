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
    <Panel title={isTrial ? t('What would happen') : t('Result')}>
      <div className={classes.stack}>
        {(state === 'CHECKED' || state === 'DONE') && <Verdict result={result} />}
        {state === 'CANCELLED' && (
          <Alert color="yellow">{t('The import was stopped. What came in so far stays.')}</Alert>
        )}
        {state === 'REVERTED' && (
          <Alert color="blue">
            {t('{count, plural, one {# record was undone.} other {# records were undone.}}', { count: reverted })}
          </Alert>
        )}
        <RecordTable
          label={isTrial ? t('What would happen') : t('Result')}
          rows={result.files}
          columns={[
            { label: t('File'), cell: ({ name }) => <RowTitle>{name}</RowTitle> },
            { label: t('Created', { context: 'records' }), isNumber: true, cell: ({ created }) => inDigits(created) },
            { label: t('Updated'), isNumber: true, isExtra: true, cell: ({ updated }) => inDigits(updated) },
            { label: t('Merged'), isNumber: true, isExtra: true, cell: ({ merged }) => inDigits(merged) },
            {
              label: t('Skipped', { context: 'rows' }),
              isNumber: true,
              isExtra: true,
              cell: ({ skipped }) => inDigits(skipped),
            },
            { label: t('Not imported'), isNumber: true, cell: ({ failed }) => inDigits(failed) },
          ]}
        />
        {Object.keys(result.made).length > 0 && (
          <Text size="sm">
            {t('Also created: {list}', {
              list: inList(Object.entries(result.made).map(([kind, count]) => countOfKnown(kind, count) ?? kind)),
            })}
          </Text>
        )}
        {result.files.map((file) => (
          <Problems key={file.id} file={file} />
        ))}
        {result.files.some(({ problemCount }) => problemCount > 0) && (
          <Anchor size="sm" href={`/api/settings/migrations/${id}/problems.csv`} download="problems.csv">
            {t('Download all problems')}
          </Anchor>
        )}
        {remains.length > 0 && (
          <RecordTable
            label={t('What stays')}
            rows={remains}
            columns={[
              {
                label: t('Made by automation, or changed by people since.'),
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
    return <Alert color="green">{isTrial ? t('Everything would come in.') : t('Everything came in.')}</Alert>
  return (
    <Alert color="yellow" role="status">
      {failed > 0 && (
        <div>
          {t(
            isTrial
              ? '{count, plural, one {# row would not come in.} other {# rows would not come in.}}'
              : '{count, plural, one {# row did not come in.} other {# rows did not come in.}}',
            { count: failed },
          )}
        </div>
      )}
      {cells > 0 && (
        <div>
          {t(
            isTrial
              ? '{count, plural, one {# value would be left out.} other {# values would be left out.}}'
              : '{count, plural, one {# value was left out.} other {# values were left out.}}',
            { count: Math.max(cells, problems - failed) },
          )}
        </div>
      )}
    </Alert>
  )
}

function Problems({ file: { name, problems } }: { readonly file: FileResult }) {
  if (problems.length === 0) return null
  return (
    <RecordTable
      label={t('Problems in {name}', { name })}
      rows={problems}
      columns={[
        { label: t('Line'), isNumber: true, cell: ({ line }) => inDigits(line) },
        { label: t('Column'), cell: ({ header }) => header ?? '' },
        {
          label: t('Reason'),
          cell: (problem) => (
            <>
              {problemInWords(problem)}
              <RowNote>{problem.isRow ? t('Row left out') : t('Value left out')}</RowNote>
            </>
          ),
        },
      ]}
    />
  )
}
