export const firstPrevHash = '0'.repeat(64)
