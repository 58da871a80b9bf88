import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { allItems } from '../../base/all-items.ts'
import { crm } from '../../base/api.ts'
import { numberIn, textIn } from '../../base/form-text.ts'
import { useSession } from '../../base/session.ts'
import { branchOf, flattenTree } from '../../base/tree.ts'
import { categoriesQuery } from '../../domain/catalogue/catalogue-queries.ts'
import { NameField } from '../../records/name-field.tsx'
import { ReferencePanel, type ReferenceFieldsProps, type ReferenceKind } from '../../records/reference-panel.tsx'
import { DecimalInput } from '../../shell/decimal-input.tsx'
import { Page } from '../../shell/page.tsx'
import classes from './categories-page.module.css'
import { listOf } from '../../records/record-place.ts'
import { t } from './texts.ts'

type Category = Awaited<ReturnType<typeof crm.productCategories.list>>['items'][number] & { readonly depth: number }
type Tag = Awaited<ReturnType<typeof crm.productTags.list>>['items'][number]

const categories: ReferenceKind<Category> = {
  title: t('Categories'),
  note: t('Each product has one category. Filters include subcategories.'),
  noun: t('category'),
  key: ['products', 'category-tree'],
  read: async (signal) =>
    flattenTree(await allItems((page) => crm.productCategories.list({ query: { page, pageSize: 100 }, signal }))).map(
      ({ node, depth }) => ({ ...node, depth }),
    ),
  nameOf: ({ name }) => name,
  depthOf: ({ depth }) => depth,
  columns: [
    {
      label: t('Products'),
      isExtra: true,
      cell: ({ id, name }) => (
        <Link
          to={listOf('PRODUCT')}
          search={{ categoryId: id }}
          className={classes.link}
          aria-label={t('Show the products in {name}', { name })}
        >
          {t('Show')}
        </Link>
      ),
    },
  ],
  Fields: CategoryFields,
  save: (row, form) => {
    const position = numberIn(form, 'position')
    const body = {
      name: textIn(form, 'name'),
      parentId: textIn(form, 'parentId') || null,
      ...(position === null ? {} : { position }),
    }
    return row ? crm.productCategories.update({ params: { id: row.id }, body }) : crm.productCategories.create({ body })
  },
  remove: ({ id }) => crm.productCategories.delete({ params: { id } }),
}

function CategoryFields({ row, errors }: ReferenceFieldsProps<Category>) {
  const { data: all = [] } = useQuery(categoriesQuery)
  const own = row === undefined ? new Set<string>() : branchOf(all, row.id)
  const places = flattenTree(all)
    .filter(({ node }) => !own.has(node.id))
    .map(({ node, depth }) => ({ value: node.id, label: `${'\u2003'.repeat(depth)}${node.name}` }))
  return (
    <>
      <NameField row={row} errors={errors} />
      <NativeSelect
        name="parentId"
        label={t('Below')}
        defaultValue={row?.parentId ?? ''}
        error={errors['parentId']}
        data={[{ value: '', label: t('None (top level)', { context: 'a category' }) }, ...places]}
      />
      <DecimalInput
        name="position"
        label={t('Order')}
        defaultValue={row && String(row.position)}
        error={errors['position']}
      />
    </>
  )
}

const tags: ReferenceKind<Tag> = {
  title: t('Tags'),
  note: t('New tags of products are added here.'),
  noun: t('tag'),
  key: ['products', 'tags'],
  read: (signal) => allItems((page) => crm.productTags.list({ query: { page, pageSize: 100 }, signal })),
  nameOf: ({ name }) => name,
  markOf: ({ color }) => color && <span className={classes.color} style={{ background: color }} title={color} />,
  columns: [],
  Fields: TagFields,
  save: (row, form) => {
    const body = { name: textIn(form, 'name'), color: textIn(form, 'color') || null }
    return row ? crm.productTags.update({ params: { id: row.id }, body }) : crm.productTags.create({ body })
  },
  remove: ({ id }) => crm.productTags.delete({ params: { id } }),
}

function TagFields({ row, errors }: ReferenceFieldsProps<Tag>) {
  return (
    <>
      <NameField row={row} errors={errors} />
      <TextInput
        name="color"
        label={t('Color')}
        placeholder="#4c6ef5"
        maxLength={7}
        defaultValue={row?.color ?? ''}
        error={errors['color']}
        autoComplete="off"
      />
    </>
  )
}

/** The tree of categories and the tags of products. */
export function CategoriesPage() {
  const { may } = useSession()
  const mayChange = may('UPDATE_PRODUCT')
  return (
    <Page title={t('Categories')} narrow>
      <ReferencePanel kind={categories} mayChange={mayChange} />
      <ReferencePanel kind={tags} mayChange={mayChange} />
    </Page>
  )
}
