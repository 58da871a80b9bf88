import type { ProductRecord } from '@crm/contract'
import { Button, FileButton, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { crm } from '../../base/api.ts'
import { useSession } from '../../base/session.ts'
import { notify } from '../../shell/notices.tsx'
import { Panel } from '../../shell/page.tsx'
import { RefusalAlert } from '../../shell/states.tsx'
import classes from './product-images.module.css'
import { t } from './texts.ts'

/** The images of a product; a file can be added, and an image removed. */
export function ProductImages({ product: { id, name, images } }: { readonly product: ProductRecord }) {
  const { may } = useSession()
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: ['products'] })
  const add = useMutation({
    mutationFn: async (file: File) => {
      const form = new FormData()
      form.append('file', file)
      const { data } = await crm.files.upload({ form })
      await crm.productImages.create({ params: { id }, body: { fileId: data.id, alt: file.name } })
    },
    onSuccess: () => notify(t('Image added')),
    onSettled: refresh,
  })
  const remove = useMutation({
    mutationFn: (imageId: string) => crm.productImages.delete({ params: { id, imageId } }),
    onSuccess: () => notify(t('Image removed')),
    onSettled: refresh,
  })
  const mayChange = may('UPDATE_PRODUCT')
  const addButton = mayChange && may('CREATE_FILE') && (
    <FileButton accept="image/*" onChange={(file) => file && add.mutate(file)}>
      {(button) => (
        <Button {...button} variant="default" size="xs" loading={add.isPending}>
          {t('Add image')}
        </Button>
      )}
    </FileButton>
  )
  return (
    <Panel title={t('Images')} actions={addButton}>
      <Stack>
        <RefusalAlert error={add.error ?? remove.error} />
        {images.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('No images yet')}
          </Text>
        )}
        <ul className={classes.images} aria-label={t('Images')}>
          {images.map((image) => (
            <li key={image.id}>
              <img className={classes.image} src={image.url} alt={image.alt ?? name} loading="lazy" />
              {mayChange && (
                <Button
                  variant="subtle"
                  color="red"
                  size="compact-xs"
                  aria-label={t('Remove {alt}', { alt: image.alt ?? name })}
                  onClick={() => remove.mutate(image.id)}
                >
                  {t('Remove')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Stack>
    </Panel>
  )
}
