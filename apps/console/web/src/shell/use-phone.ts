import { useMediaQuery } from '@mantine/hooks'

const phone = '(max-width: 47.99em)'

/** Whether the window is as narrow as a phone: facts and related records are tabs, and no panel fits beside a list. */
export function usePhone(): boolean {
  return useMediaQuery(phone, undefined, { getInitialValueInEffect: false })
}
