import { newId, schema } from '@crm/db'
import { drawPicture, type Color } from './picture.ts'
import { add, addRecords, idsByName, later, pickOwner, type Story } from './story.ts'

/** A product as quotes, orders and invoices take it. */
export interface Product {
  readonly id: string
  readonly name: string
  readonly sku: string
  readonly basePrice: string
  readonly unitId: string | null
}

/** The categories, each with its parent category. */
const categories = [
  ['Software', null],
  ['Licences', 'Software'],
  ['Storage', 'Software'],
  ['Services', null],
  ['Hardware', null],
  ['Scanners and printers', 'Hardware'],
  ['Supplies', 'Hardware'],
] as const

/** The products for sale: name, SKU, type, unit, price, cost, category, tags. */
const assortment = [
  ['Workspace licence, small', 'LIC-S', 'DIGITAL', 'Month', '49', '6', 'Licences', ['subscription']],
  ['Workspace licence, medium', 'LIC-M', 'DIGITAL', 'Month', '149', '14', 'Licences', ['subscription', 'bestseller']],
  ['Workspace licence, large', 'LIC-L', 'DIGITAL', 'Month', '390', '31', 'Licences', ['subscription']],
  ['Additional storage, 100 GB', 'STO-100', 'DIGITAL', 'Month', '12.5', '3.1', 'Storage', ['subscription']],
  ['Consulting', 'SRV-CON', 'SERVICE', 'Hour', '120', '70', 'Services', []],
  ['Training on site', 'SRV-TRA', 'SERVICE', 'Day', '980', '520', 'Services', []],
  ['Bringing over data', 'SRV-MIG', 'SERVICE', 'Flat rate', '1450', '800', 'Services', ['bestseller']],
  ['Premium support', 'SRV-SUP', 'SERVICE', 'Month', '220', '90', 'Services', ['subscription']],
  ['Barcode scanner', 'HW-SCAN', 'GOODS', 'Piece', '189.9', '121', 'Scanners and printers', ['bestseller']],
  ['Label printer', 'HW-LABEL', 'GOODS', 'Piece', '349', '240', 'Scanners and printers', []],
  ['Tablet with stand', 'HW-TAB', 'GOODS', 'Piece', '529', '410', 'Hardware', []],
  ['Labels, roll of 1,000', 'HW-ROLL', 'GOODS', 'Piece', '14.95', '6.2', 'Supplies', []],
] as const

/** Products that differ from another one in a single respect: name, SKU, price, cost, SKU of the other. */
const variants = [
  ['Tablet with stand, black', 'HW-TAB-BK', '529', '410', 'HW-TAB'],
  ['Tablet with stand, silver', 'HW-TAB-SV', '549', '425', 'HW-TAB'],
] as const

const productTags = [
  { name: 'subscription', color: '#1c7ed6' },
  { name: 'bestseller', color: '#e8590c' },
]

/** What is told of hardware: groups, their attributes, and the choices of these. */
const groups = ['Body', 'Use'] as const
const attributes = [
  { code: 'color', name: 'Colour', type: 'SELECT', group: 'Body', choices: ['Black', 'Silver'] },
  { code: 'weight', name: 'Weight in kg', type: 'NUMBER', group: 'Body', choices: [] },
  { code: 'warranty', name: 'Warranty', type: 'TEXT', group: 'Use', choices: [] },
  { code: 'wireless', name: 'Wireless', type: 'BOOLEAN', group: 'Use', choices: [] },
  {
    code: 'connections',
    name: 'Connections',
    type: 'MULTI_SELECT',
    group: 'Use',
    choices: ['USB-C', 'Bluetooth', 'Ethernet'],
  },
] as const
const said: Readonly<Record<string, Readonly<Record<string, string | boolean | readonly string[]>>>> = {
  'HW-SCAN': { weight: '0.18', wireless: true, warranty: '2 years', connections: ['USB-C', 'Bluetooth'] },
  'HW-LABEL': { weight: '1.6', wireless: false, warranty: '3 years', connections: ['USB-C', 'Ethernet'] },
  'HW-TAB-BK': { weight: '0.94', color: ['Black'] },
  'HW-TAB-SV': { weight: '0.94', color: ['Silver'] },
}

const paper: Color = [241, 243, 245]
const scanner = drawPicture(320, 320, paper, [
  { x: 110, y: 60, width: 130, height: 70, color: [52, 58, 64] },
  { x: 130, y: 130, width: 46, height: 130, color: [73, 80, 87] },
  { x: 176, y: 140, width: 14, height: 34, color: [255, 146, 43] },
  { x: 240, y: 74, width: 8, height: 42, color: [250, 82, 82] },
])
const printer = drawPicture(320, 320, paper, [
  { x: 60, y: 110, width: 200, height: 130, color: [73, 80, 87] },
  { x: 90, y: 70, width: 140, height: 60, color: [255, 255, 255] },
  { x: 110, y: 88, width: 100, height: 8, color: [33, 37, 41] },
  { x: 110, y: 104, width: 70, height: 8, color: [33, 37, 41] },
  { x: 225, y: 205, width: 16, height: 16, color: [81, 207, 102] },
])
const tablet = (body: Color): Uint8Array =>
  drawPicture(320, 320, paper, [
    { x: 50, y: 60, width: 220, height: 150, color: body },
    { x: 60, y: 70, width: 200, height: 130, color: [34, 139, 230] },
    { x: 76, y: 88, width: 110, height: 12, color: [208, 235, 255] },
    { x: 76, y: 110, width: 80, height: 12, color: [208, 235, 255] },
    { x: 146, y: 210, width: 28, height: 40, color: [134, 142, 150] },
    { x: 100, y: 250, width: 120, height: 12, color: [134, 142, 150] },
  ])
const [black, silver] = [tablet([33, 37, 41]), tablet([206, 212, 218])]

/** Plain pictures of some hardware, drawn for the demo: SKU, name of the file, words for it, content. */
const pictures = [
  ['HW-SCAN', 'scanner.png', 'A scanner seen from the side', scanner],
  ['HW-LABEL', 'printer.png', 'A printer with a label in it', printer],
  ['HW-TAB', 'tablet.png', 'A tablet on its stand', black],
  ['HW-TAB-BK', 'tablet-black.png', 'A black tablet', black],
  ['HW-TAB-SV', 'tablet-silver.png', 'A silver tablet', silver],
] as const

/** Adds the products, sorted by category, with tags, pictures and specifications; returns the products that are no variants. */
export async function addCatalogue(story: Story): Promise<Product[]> {
  const [by, at] = [pickOwner(story), later(story.now, -200)]
  const categoryIds = new Map<string, string>(categories.map(([name]) => [name, newId()]))
  await add(
    story,
    schema.productCategories,
    categories.map(([name, parent], position) => {
      return { id: categoryIds.get(name), name, parentId: parent && categoryIds.get(parent), position }
    }),
  )
  await add(story, schema.productTags, productTags)
  const units = await idsByName(story, schema.units)
  const shared = { by, at, status: 'ACTIVE' as const, currency: 'EUR' }
  const products = assortment.map(([name, sku, type, unit, basePrice, cost, category, tags]) => ({
    ...shared,
    id: newId(),
    name,
    sku,
    type,
    basePrice,
    cost,
    unitId: units.get(unit) ?? null,
    categoryId: categoryIds.get(category) ?? null,
    tags: [...tags],
  }))
  const versions = variants.map(([name, sku, basePrice, cost, other]) => {
    const parent = products.find((product) => product.sku === other) as (typeof products)[number]
    return { ...parent, id: newId(), name, sku, basePrice, cost, tags: [], parentId: parent.id }
  })
  await addRecords(story, 'PRODUCT', products)
  await addRecords(story, 'PRODUCT', versions)
  const idOf = new Map<string, string>([...products, ...versions].map(({ sku, id }) => [sku, id]))
  await describeProducts(story, idOf)
  for (const [sku, name, alt, content] of pictures) {
    const productId = idOf.get(sku) as string
    const links = [{ entityType: 'PRODUCT', entityId: productId }]
    const fileId = await story.shelf.add(story, { name, contentType: 'image/png', content, links, by, at })
    const stamps = { createdById: by.id, createdAt: at, updatedAt: at }
    await add(story, schema.productImages, [{ productId, fileId, alt, position: 0, ...stamps }])
  }
  return products
}

/** Adds the look, weight, warranty and connections of hardware. */
async function describeProducts(story: Story, idOf: ReadonlyMap<string, string>): Promise<void> {
  const groupIds = new Map<string, string>(groups.map((name) => [name, newId()]))
  const attributeIds = new Map<string, string>(attributes.map(({ code }) => [code, newId()]))
  const values = attributes.flatMap(({ code, choices }) =>
    choices.map((name) => ({ id: newId(), attributeId: attributeIds.get(code) as string, name })),
  )
  await add(
    story,
    schema.productAttributeGroups,
    groups.map((name, position) => ({ id: groupIds.get(name), name, position })),
  )
  await add(
    story,
    schema.productAttributes,
    attributes.map(({ code, name, type, group }, position) => {
      return { id: attributeIds.get(code), groupId: groupIds.get(group) as string, name, code, type, position }
    }),
  )
  await add(
    story,
    schema.productAttributeValues,
    values.map((value, position) => ({ ...value, position })),
  )
  const assignments = Object.entries(said).flatMap(([sku, answers]) =>
    Object.entries(answers).map(([code, answer]) => {
      const given =
        typeof answer === 'object'
          ? { valueIds: values.filter(({ name }) => answer.includes(name)).map(({ id }) => id) }
          : { value: answer }
      return { productId: idOf.get(sku) as string, attributeId: attributeIds.get(code) as string, ...given }
    }),
  )
  await add(story, schema.productAttributeAssignments, assignments)
}
