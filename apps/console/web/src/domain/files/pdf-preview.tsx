import { Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useRef, useState } from 'react'
import { LoadingLines, RefusalAlert } from '../../shell/states.tsx'
import classes from './pdf-preview.module.css'
import { openPdf } from './pdf-reader.ts'
import { t } from '../../base/texts.ts'
import { Dialog } from '../../shell/dialog.tsx'

const sharpWidth = 800

interface PdfPreviewProps {
  /** The address of the PDF, on this very site. */
  readonly address: string
  readonly title: string
  onClose(): void
}

/** Shows a PDF in a dialog, even in browsers without a viewer of their own, and lets people save it. */
export function PdfPreview({ address, title, onClose }: PdfPreviewProps) {
  return (
    <Dialog opened onClose={onClose} title={title} size="xl">
      <Stack>
        <Group justify="flex-end" gap="sm">
          <Button component="a" href={address} download size="xs">
            {t('Download')}
          </Button>
        </Group>
        <PdfPages address={address} />
      </Stack>
    </Dialog>
  )
}

/** The pages of a PDF of this very site, as pictures. */
export function PdfPages({ address }: { readonly address: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['pdf', address],
    queryFn: ({ signal }) => openPdf(address, signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  useEffect(() => () => void data?.loadingTask.destroy(), [data])
  return (
    <Stack>
      <RefusalAlert error={error} retry={() => void refetch()} />
      {data === undefined && error === null && <LoadingLines lines={12} label={t('Loading PDF')} />}
      {data !== undefined &&
        Array.from({ length: data.numPages }, (_, at) => <PdfSheet key={at} pdf={data} number={at + 1} />)}
    </Stack>
  )
}

/** A page of a PDF as a picture; its text is there for screen readers too. */
function PdfSheet({ pdf, number }: { readonly pdf: PDFDocumentProxy; readonly number: number }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [text, setText] = useState('')
  useEffect(() => {
    let isGone = false
    const draw = async () => {
      const page = await pdf.getPage(number)
      const sheet = canvas.current
      if (isGone || sheet === null) return
      // The picture is wide enough that small print stays sharp when a phone zooms in.
      const width = Math.max(sheet.clientWidth, sharpWidth) * window.devicePixelRatio
      const viewport = page.getViewport({ scale: width / page.getViewport({ scale: 1 }).width })
      sheet.width = viewport.width
      sheet.height = viewport.height
      await page.render({ canvas: sheet, viewport }).promise
      const { items } = await page.getTextContent()
      if (!isGone) setText(items.map((item) => ('str' in item ? item.str : '')).join(' '))
    }
    void draw()
    return () => {
      isGone = true
    }
  }, [pdf, number])
  return (
    <div role="region" aria-label={t('Page {number}', { number })}>
      <canvas ref={canvas} className={classes.sheet} aria-hidden="true" />
      <div className={classes.text}>{text}</div>
    </div>
  )
}
