import { hookBodies, hookMethods } from '@crm/contract'
import { Checkbox, Select, Text, TextInput } from '@mantine/core'
import { t } from '../../base/texts.ts'
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
        {t('automation.theAddressIsUnderCalls')}
      </Text>
      <Select
        label={t('automation.method')}
        value={trigger.method}
        onChange={(method) => onChange({ ...trigger, method: method as typeof trigger.method })}
        data={hookMethods.map((value) => ({ value, label: value === 'ANY' ? t('automation.any') : value }))}
      />
      <Select
        label={t('automation.callsBring')}
        value={trigger.accept ?? 'JSON'}
        onChange={(accept) => onChange({ ...trigger, accept: accept as (typeof hookBodies)[number] })}
        data={hookBodies.map((value) => ({ value, label: bodyWords[value] }))}
      />
      <HeaderFields trigger={trigger} errors={errors} onChange={onChange} />
      <QuestionFields trigger={trigger} errors={errors} onChange={onChange} />
      <Checkbox
        label={t('automation.answerCloudEvents')}
        description={t('automation.answerCloudEventsNote')}
        checked={trigger.cloudEvents ?? false}
        onChange={(event) => onChange({ ...trigger, cloudEvents: event.currentTarget.checked })}
      />
    </>
  )
}

const bodyWords: Readonly<Record<(typeof hookBodies)[number], string>> = {
  JSON: 'JSON',
  FORM: t('automation.fieldsOfAForm'),
  ANY: t('automation.jsonOrAForm'),
}

function HeaderFields({ trigger, errors, onChange }: WebhookFieldsProps) {
  const { headerAuth } = trigger
  return (
    <>
      <Checkbox
        label={t('automation.requireASecretHeader')}
        checked={Boolean(headerAuth)}
        onChange={(event) =>
          onChange({ ...trigger, headerAuth: event.currentTarget.checked ? { name: '', value: '' } : null })
        }
      />
      {headerAuth && (
        <>
          <TextInput
            label={t('automation.nameOfTheHeader')}
            description={t('automation.callsAreRefusedUntilA')}
            value={headerAuth.name}
            onChange={(event) =>
              onChange({ ...trigger, headerAuth: { ...headerAuth, name: event.currentTarget.value } })
            }
            error={errors['headerAuth']}
            autoComplete="off"
          />
          <TextInput
            label={t('automation.valueOfTheHeader')}
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
        label={t('automation.senderThatAsksFirst')}
        description={t('automation.senderThatAsksFirstNote')}
        value={challenge === null ? nobody : (sender?.name ?? other)}
        onChange={choose}
        data={[
          { value: nobody, label: t('automation.noSenderAsks') },
          ...senders.map(({ name }) => ({ value: name, label: name })),
          { value: other, label: t('automation.anotherSender') },
        ]}
      />
      {challenge !== null && sender?.challenge.require?.equals === '' && (
        <TextInput
          label={t('automation.verifyToken')}
          description={t('automation.verifyTokenNote')}
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
        label={t('automation.questionStandsIn')}
        value={place}
        onChange={(next) => onChange({ ...challenge, in: next as Challenge['in'] })}
        data={[
          { value: 'QUERY', label: t('automation.inTheAddress') },
          { value: 'BODY', label: t('automation.inTheBody') },
          { value: 'HEADER', label: t('automation.inAHeader') },
        ]}
      />
      <TextInput
        label={t('automation.nameOfTheValue')}
        description={t('automation.nameOfTheValueNote')}
        value={echo}
        error={errors['challenge.echo']}
        autoComplete="off"
        onChange={(event) => onChange({ ...challenge, echo: event.currentTarget.value })}
      />
      <Select
        label={t('automation.valueIsGivenBack')}
        value={as}
        onChange={(next) => onChange({ ...challenge, as: next as Challenge['as'] })}
        data={[
          { value: 'TEXT', label: t('automation.asText') },
          { value: 'JSON', label: t('automation.asJson') },
          { value: 'HEADER', label: t('automation.inAHeader') },
        ]}
      />
      {as !== 'TEXT' && (
        <TextInput
          label={t('automation.nameInTheAnswer')}
          description={t('automation.nameInTheAnswerNote')}
          value={name}
          error={errors['challenge.name']}
          autoComplete="off"
          onChange={(event) => onChange(named(event.currentTarget.value))}
        />
      )}
      <TextInput
        label={t('automation.onlyTogetherWith')}
        description={t('automation.onlyTogetherWithNote')}
        value={require.name}
        error={errors['challenge.require.name']}
        autoComplete="off"
        onChange={(event) => onChange(withRequired(challenge, { ...require, name: event.currentTarget.value }))}
      />
      {(require.name !== '' || require.equals !== '') && (
        <TextInput
          label={t('automation.valueOfIt')}
          value={require.equals}
          error={errors['challenge.require.equals']}
          autoComplete="off"
          onChange={(event) => onChange(withRequired(challenge, { ...require, equals: event.currentTarget.value }))}
        />
      )}
    </>
  )
}
