import { productStatuses, productTypes, type ProductRecord } from '@crm/contract'
import { NativeSelect, SimpleGrid, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { crm } from '../../base/api.ts'
import { textIn } from '../../base/form-text.ts'
import { tagsQuery, useCatalogueLists } from '../../domain/catalogue/catalogue-queries.ts'
import { choicesOf, currencyChoices } from '../../records/choices.ts'
import { changedText, readFields } from '../../records/form-changes.ts'
import { RecordForm } from '../../records/record-form.tsx'
import { productStatusNames, productTypeNames } from './product-words.ts'

const fields = [
  'name',
  'sku',
  'barcode',
  'type',
  'status',
  'basePrice',
  'currency',
  'cost',
  'categoryId',
  'unitId',
  'taxRateId',
  'description',
] as const

interface ProductDialogProps {
  /** The product to change; a new one without it. */
  readonly product?: ProductRecord
  /** The product that a new one is a variant of. */
  readonly parent?: ProductRecord
  readonly opened: boolean
  onClose(): void
}

/** Asks for a new product or variant, or for changes of one. */
export function ProductDialog({ product, parent, opened, onClose }: ProductDialogProps) {
  const navigate = useNavigate()
  const lists = useCatalogueLists()
  const { data: tags = [] } = useQuery({ ...tagsQuery, enabled: opened })
  const begin =
    product ?? (parent && { ...parent, name: `${parent.name}, `, sku: null, barcode: null, description: null })
  return (
    <RecordForm
      entityType="PRODUCT"
      record={product}
      begin={begin}
      title={parent && !product ? 'New variant' : undefined}
      size="lg"
      opened={opened}
      save={(form, shown) => saveProduct(form, shown, parent?.id)}
      open={(id) => navigate({ to: '/products/$id', params: { id } })}
      onClose={onClose}
    >
      {({ errors, field }) => (
        <>
          <TextInput label="Name" required data-autofocus {...field('name')} />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="sm">
            <TextInput label="SKU" {...field('sku')} />
            <TextInput label="Barcode" {...field('barcode')} />
            <NativeSelect
              label="Type"
              {...field('type')}
              data={productTypes.map((value) => ({ value, label: productTypeNames[value] }))}
            />
            <NativeSelect
              label="Status"
              {...field('status')}
              data={productStatuses.map((value) => ({ value, label: productStatusNames[value] }))}
            />
            <TextInput label="Base price" inputMode="decimal" placeholder="0.00" {...field('basePrice')} />
            <NativeSelect
              label="Currency"
              {...field('currency')}
              data={currencyChoices(lists.currencies, begin?.currency)}
            />
            <TextInput label="Cost" inputMode="decimal" placeholder="0.00" {...field('cost')} />
            <NativeSelect label="Tax rate" {...field('taxRateId')} data={choicesOf(lists.taxRates, begin?.taxRateId)} />
            <NativeSelect
              label="Category"
              {...field('categoryId')}
              data={choicesOf(lists.categories, begin?.categoryId)}
            />
            <NativeSelect label="Unit" {...field('unitId')} data={choicesOf(lists.units, begin?.unitId)} />
          </SimpleGrid>
          <TagsInput
            label="Tags"
            name="tags"
            defaultValue={begin?.tags ?? []}
            data={tags.map(({ name }) => name)}
            maxTags={50}
            error={Object.entries(errors).find(([path]) => path.startsWith('tags'))?.[1]}
          />
          <Textarea label="Description" rows={3} {...field('description')} />
        </>
      )}
    </RecordForm>
  )
}

function saveProduct(form: FormData, product: ProductRecord | undefined, parentId: string | undefined) {
  const { name, type, status, currency, ...changed } = changedText(product ?? {}, readFields(form, fields))
  const tags = readTags(form, product?.tags ?? [])
  const chosen = {
    ...(tags && { tags }),
    type: oneOf(productTypes, type),
    status: oneOf(productStatuses, status),
    currency: currency ?? undefined,
  }
  if (product === undefined) return crm.products.create({ body: { ...changed, ...chosen, name: name ?? '', parentId } })
  return crm.products.update({
    params: { id: product.id },
    body: { ...changed, ...chosen, ...(name === undefined ? {} : { name: name ?? '' }), version: product.version },
  })
}

/** The tags when they were changed; the field of the form has them with commas. */
function readTags(form: FormData, before: readonly string[]): string[] | undefined {
  const tags = textIn(form, 'tags')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
  return tags.join() === before.join() ? undefined : tags
}

function oneOf<Value extends string>(values: readonly Value[], text: string | null | undefined): Value | undefined {
  return values.find((value) => value === text)
}
