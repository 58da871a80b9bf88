import { hookBodies, hookMethods } from '@crm/contract'
import { Checkbox, Select, Text, TextInput } from '@mantine/core'
import { t } from './texts.ts'
import { otherChallenge, senderOf, senders, withRequired, type Challenge, type WebhookTrigger } from './challenges.ts'

interface WebhookFieldsProps {
  readonly trigger: WebhookTrigger
  readonly errors: Readonly<Record<string, string>>
  onChange(trigger: WebhookTrigger): void
}

/** The settings of a trigger that other systems call. */
export function WebhookFields({ trigger, errors, onChange }: WebhookFieldsProps) {
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('Forms and other systems send data to its address. Turn the workflow on to see the address under Calls.')}
      </Text>
      <Select
        label={t('Method')}
        value={trigger.method}
        onChange={(method) => onChange({ ...trigger, method: method as typeof trigger.method })}
        data={hookMethods.map((value) => ({ value, label: value === 'ANY' ? t('Any') : value }))}
      />
      <Select
        label={t('Calls bring')}
        value={trigger.accept ?? 'JSON'}
        onChange={(accept) => onChange({ ...trigger, accept: accept as (typeof hookBodies)[number] })}
        data={hookBodies.map((value) => ({ value, label: bodyWords[value] }))}
      />
      <HeaderFields trigger={trigger} errors={errors} onChange={onChange} />
      <QuestionFields trigger={trigger} errors={errors} onChange={onChange} />
      <Checkbox
        label={t('Answer senders of CloudEvents')}
        description={t('They ask by OPTIONS whether they may call.')}
        checked={trigger.cloudEvents ?? false}
        onChange={(event) => onChange({ ...trigger, cloudEvents: event.currentTarget.checked })}
      />
    </>
  )
}

const bodyWords: Readonly<Record<(typeof hookBodies)[number], string>> = {
  JSON: 'JSON',
  FORM: t('The fields of a form'),
  ANY: t('JSON or a form, as each call says'),
}

function HeaderFields({ trigger, errors, onChange }: WebhookFieldsProps) {
  const { headerAuth } = trigger
  return (
    <>
      <Checkbox
        label={t('Require a secret header')}
        checked={Boolean(headerAuth)}
        onChange={(event) =>
          onChange({ ...trigger, headerAuth: event.currentTarget.checked ? { name: '', value: '' } : null })
        }
      />
      {headerAuth && (
        <>
          <TextInput
            label={t('Name of the header')}
            description={t('Calls are refused until a secret is set')}
            value={headerAuth.name}
            onChange={(event) =>
              onChange({ ...trigger, headerAuth: { ...headerAuth, name: event.currentTarget.value } })
            }
            error={errors['headerAuth']}
            autoComplete="off"
          />
          <TextInput
            label={t('Value of the header')}
            value={headerAuth.value}
            onChange={(event) =>
              onChange({ ...trigger, headerAuth: { ...headerAuth, value: event.currentTarget.value } })
            }
            autoComplete="off"
          />
        </>
      )}
    </>
  )
}

const [nobody, other] = ['NOBODY', 'OTHER']

/** The question that some senders ask before their first call. */
function QuestionFields({ trigger, errors, onChange }: WebhookFieldsProps) {
  const challenge = trigger.challenge ?? null
  const sender = challenge === null ? undefined : senderOf(challenge)
  const change = (next: Challenge | null): void => onChange({ ...trigger, challenge: next })
  const choose = (name: string | null): void => {
    if (name === nobody) change(null)
    else change(senders.find((one) => one.name === name)?.challenge ?? otherChallenge)
  }
  return (
    <>
      <Select
        label={t('Sender that asks first')}
        description={t(
          'Some services check the address before their first call. They get their answer; nothing is started.',
        )}
        value={challenge === null ? nobody : (sender?.name ?? other)}
        onChange={choose}
        data={[
          { value: nobody, label: t('Nobody asks') },
          ...senders.map(({ name }) => ({ value: name, label: name })),
          { value: other, label: t('Another sender') },
        ]}
      />
      {challenge !== null && sender?.challenge.require?.equals === '' && (
        <TextInput
          label={t('Verify token')}
          description={t('A text of your choice; enter the same one at the sender.')}
          value={challenge.require?.equals ?? ''}
          error={errors['challenge.require.equals']}
          autoComplete="off"
          onChange={(event) =>
            change(withRequired(challenge, { name: challenge.require?.name ?? '', equals: event.currentTarget.value }))
          }
        />
      )}
      {challenge !== null && sender === undefined && (
        <OtherQuestion challenge={challenge} errors={errors} onChange={change} />
      )}
    </>
  )
}

interface OtherQuestionProps {
  readonly challenge: Challenge
  readonly errors: Readonly<Record<string, string>>
  onChange(challenge: Challenge): void
}

/** All parts of a question, for a sender that is not in the list. */
function OtherQuestion({ challenge, errors, onChange }: OtherQuestionProps) {
  const { in: place, echo, as, name = '', require = { name: '', equals: '' } } = challenge
  const named = (value: string): Challenge => {
    const { name: _before, ...rest } = challenge
    return value === '' ? rest : { ...rest, name: value }
  }
  return (
    <>
      <Select
        label={t('Place of the question')}
        value={place}
        onChange={(next) => onChange({ ...challenge, in: next as Challenge['in'] })}
        data={[
          { value: 'QUERY', label: t('Address') },
          { value: 'BODY', label: t('Body') },
          { value: 'HEADER', label: t('Header') },
        ]}
      />
      <TextInput
        label={t('Name of the value')}
        description={t('In a body, dots lead further in: data.code')}
        value={echo}
        error={errors['challenge.echo']}
        autoComplete="off"
        onChange={(event) => onChange({ ...challenge, echo: event.currentTarget.value })}
      />
      <Select
        label={t('Form of the response')}
        value={as}
        onChange={(next) => onChange({ ...challenge, as: next as Challenge['as'] })}
        data={[
          { value: 'TEXT', label: t('Text') },
          { value: 'JSON', label: t('JSON') },
          { value: 'HEADER', label: t('Header') },
        ]}
      />
      {as !== 'TEXT' && (
        <TextInput
          label={t('Name in the response')}
          description={t('Empty: the name that the call has')}
          value={name}
          error={errors['challenge.name']}
          autoComplete="off"
          onChange={(event) => onChange(named(event.currentTarget.value))}
        />
      )}
      <TextInput
        label={t('Only together with')}
        description={t('The name of another value that the call must have')}
        value={require.name}
        error={errors['challenge.require.name']}
        autoComplete="off"
        onChange={(event) => onChange(withRequired(challenge, { ...require, name: event.currentTarget.value }))}
      />
      {(require.name !== '' || require.equals !== '') && (
        <TextInput
          label={t('Its value')}
          value={require.equals}
          error={errors['challenge.require.equals']}
          autoComplete="off"
          onChange={(event) => onChange(withRequired(challenge, { ...require, equals: event.currentTarget.value }))}
        />
      )}
    </>
  )
}
