import { SimpleGrid, TextInput } from '@mantine/core'
import { addressParts, type AddressPart } from '../base/address-parts.ts'
import { t } from '../base/texts.ts'
import { CountryInput } from './country-input.tsx'

const names: Readonly<Record<AddressPart, string>> = {
  line1: t('Street'),
  line2: t('Address line 2'),
  postalCode: t('Postal code'),
  city: t('City'),
  region: t('State or region'),
  country: t('Country'),
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
