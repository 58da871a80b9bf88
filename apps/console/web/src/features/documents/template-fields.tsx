import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { useState } from 'react'
import { inWords } from '../../records/field-words.ts'
import { nounOfKnown } from '../../records/kind-words.ts'
import { TemplateField } from '../../shell/template-field.tsx'
import { templateVariables, variableKinds } from './template-variables.ts'
import { capitalized, t } from '../../base/texts.ts'

/** A template while it is edited. */
export interface TemplateDraft {
  readonly name: string
  readonly kind: string
  readonly body: string
}

interface TemplateFieldsProps {
  readonly draft: TemplateDraft
  /** The problems that the API found, by field. */
  readonly errors: Readonly<Record<string, string>>
  onChange(draft: TemplateDraft): void
}

/** The fields of a template, with the variables of one kind of record. */
export function TemplateFields({ draft, errors, onChange }: TemplateFieldsProps) {
  const [entityType, setEntityType] = useState(variableKinds[0] ?? '')
  return (
    <>
      <TextInput
        label={t('Name')}
        required
        data-autofocus
        maxLength={200}
        value={draft.name}
        error={errors['name']}
        autoComplete="off"
        onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
        <TextInput
          label={t('Type')}
          required
          maxLength={60}
          description={t('Such as CONTRACT or LETTER')}
          value={draft.kind}
          error={errors['kind']}
          autoComplete="off"
          onChange={({ currentTarget }) => onChange({ ...draft, kind: currentTarget.value })}
        />
        <NativeSelect
          label={t('Insert fields from')}
          description={t('Suggested while you type')}
          value={entityType}
          onChange={({ currentTarget }) => setEntityType(currentTarget.value)}
          data={variableKinds.map((kind) => ({ value: kind, label: capitalized(nounOfKnown(kind) ?? inWords(kind)) }))}
        />
      </SimpleGrid>
      <TemplateField
        label={t('Text')}
        isLong
        description={t(
          "# begins a heading, - a list, **bold** and *italic* are as they look; '{{'variables'}}' are filled in",
        )}
        value={draft.body}
        variables={templateVariables(entityType)}
        error={errors['body']}
        onChange={(body) => onChange({ ...draft, body })}
      />
    </>
  )
}
