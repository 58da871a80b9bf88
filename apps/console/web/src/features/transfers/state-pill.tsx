import { Pill } from '../../shell/pill.tsx'
import { importStates } from './transfer-words.ts'

/** The state of an import in a word. */
export function StatePill({ state }: { readonly state: string }) {
  const { label, tone } = importStates[state] ?? { label: state, tone: 'neutral' as const }
  return <Pill tone={tone}>{label}</Pill>
}
