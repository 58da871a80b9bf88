import { newId, schema, type Executor } from '@crm/db'
import { eq } from 'drizzle-orm'
import type { History } from './history.ts'
import type { Member } from './members.ts'
import { drawPicture, type Color } from './picture.ts'
import { dayMs, madeBy, pickOwner, type Place } from './place.ts'
import type { Shelf } from './shelf.ts'

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

/** Products that differ from another one in a single respect: name, SKU, price, cost, SKU of the other, colour. */
const variants = [
  ['Tablet with stand, black', 'HW-TAB-BK', '529', '410', 'HW-TAB', 'Black'],
  ['Tablet with stand, silver', 'HW-TAB-SV', '549', '425', 'HW-TAB', 'Silver'],
] as const

const productTags = [
  ['subscription', '#1c7ed6'],
  ['bestseller', '#e8590c'],
] as const
const colors = { Black: [33, 37, 41], Silver: [206, 212, 218] } as const satisfies Record<string, Color>

interface Wares {
  readonly by: Member
  readonly at: string
  readonly products: readonly Product[]
}

/** Adds the products, sorted by category, with tags, pictures and specifications; returns the products that are no variants. */
export async function addProducts(tx: Executor, place: Place, shelf: Shelf, history: History): Promise<Product[]> {
  const { workspaceId, now } = place
  const by = pickOwner(place)
  const at = new Date(now.getTime() - 200 * dayMs).toISOString()
  const categoryIds = await addCategories(tx, workspaceId)
  await tx
    .insert(schema.productTags)
    .values(productTags.map(([name, color]) => ({ workspaceId, id: newId(), name, color })))
  const units = await tx
    .select({ id: schema.units.id, name: schema.units.name })
    .from(schema.units)
    .where(eq(schema.units.workspaceId, workspaceId))
  const shared = { workspaceId, status: 'ACTIVE' as const, currency: 'EUR', ...madeBy(by, at) }
  const products = assortment.map(([name, sku, type, unit, basePrice, cost, category, tags]) => ({
    ...shared,
    id: newId(),
    name,
    sku,
    type,
    basePrice,
    cost,
    unitId: units.find((one) => one.name === unit)?.id ?? null,
    categoryId: categoryIds.get(category) ?? null,
    tags: [...tags],
  }))
  const versions = variants.map(([name, sku, basePrice, cost, parentSku]) => {
    const {
      id: parentId,
      type,
      unitId,
      categoryId,
    } = products.find((one) => one.sku === parentSku) as (typeof products)[number]
    return { ...shared, id: newId(), name, sku, type, basePrice, cost, unitId, categoryId, tags: [], parentId }
  })
  await tx.insert(schema.products).values(products)
  await tx.insert(schema.products).values(versions)
  history.add(
    ...[...products, ...versions].map(({ id }) => ({ entityType: 'PRODUCT', entityId: id, kind: 'CREATED', at, by })),
  )
  const wares = { by, at, products: [...products, ...versions] }
  await describeProducts(tx, workspaceId, wares)
  await addImages(tx, place, shelf, history, wares)
  return products
}

async function addCategories(tx: Executor, workspaceId: string): Promise<Map<string, string>> {
  const ids = new Map<string, string>(categories.map(([name]) => [name, newId()]))
  await tx.insert(schema.productCategories).values(
    categories.map(([name, parent], position) => ({
      workspaceId,
      id: ids.get(name) as string,
      name,
      parentId: parent && (ids.get(parent) ?? null),
      position,
    })),
  )
  return ids
}

/** Adds the look, weight, warranty and connections of hardware. */
async function describeProducts(tx: Executor, workspaceId: string, { products }: Wares): Promise<void> {
  const [body, use] = [newId(), newId()]
  const [color, weight, warranty, wireless, connections] = [newId(), newId(), newId(), newId(), newId()]
  await tx.insert(schema.productAttributeGroups).values([
    { workspaceId, id: body, name: 'Body', position: 0 },
    { workspaceId, id: use, name: 'Use', position: 1 },
  ])
  await tx.insert(schema.productAttributes).values([
    { workspaceId, id: color, groupId: body, name: 'Colour', code: 'color', type: 'SELECT', position: 0 },
    { workspaceId, id: weight, groupId: body, name: 'Weight in kg', code: 'weight', type: 'NUMBER', position: 1 },
    { workspaceId, id: warranty, groupId: use, name: 'Warranty', code: 'warranty', type: 'TEXT', position: 0 },
    { workspaceId, id: wireless, groupId: use, name: 'Wireless', code: 'wireless', type: 'BOOLEAN', position: 1 },
    {
      workspaceId,
      id: connections,
      groupId: use,
      name: 'Connections',
      code: 'connections',
      type: 'MULTI_SELECT',
      position: 2,
    },
  ])
  const choices = [
    ...Object.keys(colors).map((name) => [color, name] as const),
    ...['USB-C', 'Bluetooth', 'Ethernet'].map((name) => [connections, name] as const),
  ]
  const values = choices.map(([attributeId, name], position) => ({
    workspaceId,
    id: newId(),
    attributeId,
    name,
    position,
  }))
  await tx.insert(schema.productAttributeValues).values(values)
  const chosen = (...names: readonly string[]) => ({
    valueIds: values.filter(({ name }) => names.includes(name)).map(({ id }) => id),
  })
  const idOf = (sku: string): string => products.find((product) => product.sku === sku)?.id as string
  const say = (
    sku: string,
    attributeId: string,
    said: { readonly value?: string | boolean; readonly valueIds?: string[] },
  ) => ({ workspaceId, productId: idOf(sku), attributeId, ...said })
  await tx
    .insert(schema.productAttributeAssignments)
    .values([
      say('HW-SCAN', weight, { value: '0.18' }),
      say('HW-SCAN', wireless, { value: true }),
      say('HW-SCAN', warranty, { value: '2 years' }),
      say('HW-SCAN', connections, chosen('USB-C', 'Bluetooth')),
      say('HW-LABEL', weight, { value: '1.6' }),
      say('HW-LABEL', wireless, { value: false }),
      say('HW-LABEL', warranty, { value: '3 years' }),
      say('HW-LABEL', connections, chosen('USB-C', 'Ethernet')),
      ...variants.flatMap(([_name, sku, _price, _cost, _parent, shade]) => [
        say(sku, color, chosen(shade)),
        say(sku, weight, { value: '0.94' }),
      ]),
    ])
}

/** Plain pictures of some hardware, drawn for the demo. */
async function addImages(
  tx: Executor,
  place: Place,
  shelf: Shelf,
  history: History,
  { by, at, products }: Wares,
): Promise<void> {
  const pictures = [
    ['HW-SCAN', 'scanner.png', 'A scanner seen from the side', scanner],
    ['HW-LABEL', 'printer.png', 'A printer with a label in it', printer],
    ['HW-TAB', 'tablet.png', 'A tablet on its stand', tablet(colors.Black)],
    ['HW-TAB-BK', 'tablet-black.png', 'A black tablet', tablet(colors.Black)],
    ['HW-TAB-SV', 'tablet-silver.png', 'A silver tablet', tablet(colors.Silver)],
  ] as const
  for (const [sku, name, alt, content] of pictures) {
    const productId = products.find((product) => product.sku === sku)?.id as string
    const fileId = await shelf.add(tx, place, history, {
      name,
      contentType: 'image/png',
      content,
      links: [{ entityType: 'PRODUCT', entityId: productId }],
      by,
      at,
    })
    await tx.insert(schema.productImages).values({
      workspaceId: place.workspaceId,
      id: newId(),
      productId,
      fileId,
      alt,
      position: 0,
      createdById: by.id,
      createdAt: at,
      updatedAt: at,
    })
  }
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

function tablet(body: Color): Uint8Array {
  return drawPicture(320, 320, paper, [
    { x: 50, y: 60, width: 220, height: 150, color: body },
    { x: 60, y: 70, width: 200, height: 130, color: [34, 139, 230] },
    { x: 76, y: 88, width: 110, height: 12, color: [208, 235, 255] },
    { x: 76, y: 110, width: 80, height: 12, color: [208, 235, 255] },
    { x: 146, y: 210, width: 28, height: 40, color: [134, 142, 150] },
    { x: 100, y: 250, width: 120, height: 12, color: [134, 142, 150] },
  ])
}
