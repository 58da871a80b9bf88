export { type OpenApiDocument } from './document.ts'
export { bookingDocument, publicDocument, settingsDocument } from './documents.ts'
