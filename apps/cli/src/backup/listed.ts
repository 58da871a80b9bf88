import { sizeOf } from './manifest.ts'
import type { BackupPlace } from './place.ts'
import { readManifest, verifiedAt } from './verify.ts'

/** The backups of a place with the contents of their manifests, newest last. */
export async function listed(place: BackupPlace) {
  const backups = await Promise.all(
    (await place.ids()).map(async (id) => {
      const folder = await place.open(id)
      const manifest = await readManifest(folder, place.pathOf(id))
      const { createdAt, version } = manifest
      return {
        id,
        path: place.pathOf(id),
        createdAt,
        version,
        ...sizeOf(manifest),
        verifiedAt: await verifiedAt(folder),
      }
    }),
  )
  return backups.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
}
