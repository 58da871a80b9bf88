import type { Branch, StepChoice } from './steps.ts'
import { t } from './texts.ts'

/** The kinds of steps in words. */
export const choiceNames: Readonly<Record<StepChoice, string>> = {
  task: t('Add task'),
  create: t('Create record'),
  update: t('Update record'),
  owner: t('Assign owner'),
  find: t('Find records'),
  email: t('Send email'),
  request: t('Send request'),
  wait: t('Wait'),
  branch: t('Branch'),
  values: t('Set values'),
  start: t('Start workflow'),
}

/** The branches of a fork in words. */
export const branchNames: Readonly<Record<Branch, string>> = { then: t('Then'), else: t('Else') }
