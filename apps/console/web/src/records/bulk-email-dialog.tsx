import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type FormEvent } from 'react'
import { t } from '../base/texts.ts'
import { emailable, emailedMax, firstNamePlace, sendEach } from './email-batch.ts'
import type { AnyRecord } from './record-calls.ts'
import type { Kind } from './record-kinds.ts'
import { collectionOf } from './record-place.ts'
import { Dialog } from '../shell/dialog.tsx'

interface BulkEmailDialogProps {
  readonly kind: Kind
  /** The chosen records; undefined when everything is chosen. */
  readonly rows: readonly AnyRecord[] | undefined
  onDone(): void
  onClose(): void
}

/** Writes an email that each chosen record gets on its own. */
export function BulkEmailDialog({ kind, rows, onDone, onClose }: BulkEmailDialogProps) {
  const client = useQueryClient()
  const [subject, setSubject] = useState('')
  const [message, setMessage] = useState('')
  const area = useRef<HTMLTextAreaElement>(null)
  const reached = emailable(rows ?? [])
  const isTooMany = rows === undefined || rows.length > emailedMax
  const isReady = !isTooMany && reached.length > 0 && subject.trim() !== '' && message.trim() !== ''
  const insertName = () => {
    const { selectionStart: from = message.length, selectionEnd: to = from } = area.current ?? {}
    setMessage(`${message.slice(0, from)}${firstNamePlace}${message.slice(to)}`)
    area.current?.focus()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady) return
    onClose()
    onDone()
    void sendEach(kind.key, reached, { subject: subject.trim(), message }).then(() =>
      client.invalidateQueries({ queryKey: [collectionOf(kind.key)] }),
    )
  }
  return (
    <Dialog opened onClose={onClose} title={t('Email')} size="lg">
      <form onSubmit={submit} aria-label={t('Email')} noValidate>
        <Stack>
          <Text size="sm" role="status">
            {isTooMany
              ? t('Select up to {max} to email them.', { max: emailedMax })
              : [
                  t('Each person gets an email of their own. Answers go to you.'),
                  ...(rows.length > reached.length
                    ? [
                        t(
                          '{count, plural, one {# has no email address and is skipped.} other {# have no email address and are skipped.}}',
                          { count: rows.length - reached.length },
                        ),
                      ]
                    : []),
                ].join(' ')}
          </Text>
          <TextInput
            label={t('Subject')}
            data-autofocus
            dir="auto"
            maxLength={200}
            value={subject}
            onChange={(event) => setSubject(event.currentTarget.value)}
          />
          <Textarea
            ref={area}
            label={t('Message')}
            dir="auto"
            autosize
            minRows={6}
            maxRows={16}
            maxLength={20_000}
            value={message}
            onChange={(event) => setMessage(event.currentTarget.value)}
          />
          <Group justify="space-between" gap="sm">
            <Button variant="subtle" size="xs" onClick={insertName}>
              {t('Insert first name')}
            </Button>
            <Group gap="sm">
              <Button variant="default" onClick={onClose}>
                {t('Cancel')}
              </Button>
              <Button type="submit" disabled={!isReady}>
                {t('{count, plural, one {Send # email} other {Send # emails}}', { count: reached.length })}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
