import type { settingsContract } from '@crm/contract'
import { useMantineColorScheme } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { z } from 'zod'
import { settings } from '../base/api.ts'
import { applyPreferences } from '../base/preferences.ts'
import { sessionQuery, useSession } from '../base/session.ts'

type Preferences = z.input<(typeof settingsContract)['preferencesOfMe']['operations']['update']['body']>

/** Returns a function that keeps choices of the person, and the refusal of the last one. */
export function usePreferences() {
  const client = useQueryClient()
  const { mutate, error } = useMutation({
    mutationFn: (body: Preferences) => settings.preferencesOfMe.update({ body }),
    onSuccess: ({ data: person }, { timezone }) => {
      client.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, person })
      applyPreferences(person)
      // Lists read "today" in the zone of the person.
      return timezone === undefined ? undefined : client.invalidateQueries()
    },
  })
  return { change: mutate, error }
}

/** Shows the theme of the person's account; the browser keeps it for the next first paint. */
export function useThemeOfAccount(): void {
  const { person } = useSession()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = person.theme ?? 'auto'
  // The setter is another function at each rendering.
  // oxlint-disable-next-line react/exhaustive-deps
  useEffect(() => setColorScheme(scheme), [scheme])
}
