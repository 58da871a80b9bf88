import type { FileRecord } from '@crm/contract'
import { isShownImage } from '../../base/shown-images.ts'
import { PdfPages } from './pdf-preview.tsx'
import classes from './pdf-preview.module.css'

type Shown = Pick<FileRecord, 'id' | 'name' | 'contentType' | 'size'>

/** A larger PDF is for a program of its own. */
const pdfBytesMax = 20_000_000

const isPdf = ({ contentType, size }: Pick<FileRecord, 'contentType' | 'size'>): boolean =>
  contentType === 'application/pdf' && size <= pdfBytesMax

/** Whether a file can be looked at in the page: a picture or a PDF that is not too large. */
export function isViewable(file: Pick<FileRecord, 'contentType' | 'size'>): boolean {
  return isPdf(file) || isShownImage(file)
}

/** What a file shows, in the page. */
export function FileView({ file }: { readonly file: Shown }) {
  const address = `/api/files/${file.id}/content`
  if (isPdf(file)) return <PdfPages address={address} />
  return <img src={address} alt={file.name} className={classes.picture} />
}
