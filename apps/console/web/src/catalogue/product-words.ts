/** The kinds and states of products in words. */
export const productTypeNames = { GOODS: 'Goods', SERVICE: 'Service', DIGITAL: 'Digital' } as const
export const productStatusNames = { ACTIVE: 'Active', ARCHIVED: 'Archived' } as const
