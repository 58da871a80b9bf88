import { SimpleGrid, TextInput } from '@mantine/core'
import { addressParts, type AddressPart } from '../base/address-parts.ts'
import { t } from '../base/texts.ts'
import { CountryInput } from './country-input.tsx'

const names: Readonly<Record<AddressPart, string>> = {
  line1: t('common.street'),
  line2: t('common.addressLine2'),
  postalCode: t('common.postalCode'),
  city: t('common.city'),
  region: t('common.stateOrRegion'),
  country: t('common.country'),
}

/** A control of a form that is read when it is sent has a name and a beginning; any other has a value and hears of each change. */
interface PartProps {
  readonly name?: string
  readonly defaultValue?: string
  readonly value?: string
  readonly onText?: (text: string) => void
  readonly error?: string | undefined
}

interface AddressInputsProps {
  /** All of them by default. */
  readonly parts?: readonly AddressPart[]
  propsOf(part: AddressPart): PartProps
}

/** The controls of an address, in two columns where there is room. */
export function AddressInputs({ parts = addressParts, propsOf }: AddressInputsProps) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
      {parts.map((part) => {
        const { onText, ...props } = propsOf(part)
        return part === 'country' ? (
          <CountryInput key={part} label={names[part]} {...props} onChange={onText} />
        ) : (
          <TextInput
            key={part}
            label={names[part]}
            {...props}
            maxLength={200}
            autoComplete="off"
            onChange={onText && (({ currentTarget }) => onText(currentTarget.value))}
          />
        )
      })}
    </SimpleGrid>
  )
}
