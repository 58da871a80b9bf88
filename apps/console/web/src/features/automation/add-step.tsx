import { ActionIcon, Button, Menu } from '@mantine/core'
import { Icon } from '../../shell/icons.tsx'
import { numberOf, stepChoices, type Position, type StepChoice, type WorkflowStep } from './steps.ts'
import { branchNames, choiceNames } from './choice-words.ts'
import { t } from './texts.ts'

interface AddStepProps {
  readonly position: Position
  /** The step that it is added before; null at the end of a list. */
  readonly before: WorkflowStep | null
  /** Whether only the end of the workflow has a button with a text. */
  readonly isSmall?: boolean
  onAdd(choice: StepChoice, position: Position): void
}

/** The button that adds a step at a place, with the kinds of steps to choose from. */
export function AddStep({ position, before, isSmall = false, onAdd }: AddStepProps) {
  const branch = before === null ? position.split('.').at(-2) : undefined
  return (
    <Menu position="bottom" portalProps={{ target: 'main' }} shadow="md" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        {before === null && (branch === undefined || !isSmall) ? (
          <Button variant="default" size="sm" leftSection={<Icon name="plus" size={16} />}>
            {branch === undefined ? t('Add step') : addToBranch(branch)}
          </Button>
        ) : (
          <ActionIcon
            variant="default"
            size={28}
            radius="xl"
            aria-label={
              before === null ? addToBranch(branch) : t('Insert before step {number}', { number: numberOf(position) })
            }
          >
            <Icon name="plus" size={14} />
          </ActionIcon>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        {stepChoices.map((choice) => (
          <Menu.Item key={choice} onClick={() => onAdd(choice, position)}>
            {choiceNames[choice]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function addToBranch(branch: string | undefined): string {
  return t('Add to “{branch}”', { branch: branchNames[branch === 'else' ? 'else' : 'then'] })
}
