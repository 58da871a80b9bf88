import * as z from 'zod'
import { id } from '../../fields.ts'
import { bytes } from '../../handlers.ts'
import { settingsResource } from '../../resource.ts'
import { data } from '../../standard.ts'
import { ownAccount } from '../me.ts'

/** The most bytes of a picture of a person. */
export const pictureBytesMax = 524_288

/** The most pixels of a picture of a person, in each direction. */
export const picturePixelsMax = 1_024

/** Pictures of people (docs/guide/pictures.md). Only a session has a person to show, and only colleagues who are signed in see them. */
export const pictures = settingsResource('settings.pictures', {
  set: {
    method: 'PUT',
    path: '/api/me/picture',
    summary: 'Choose your own picture, in place of the one before',
    description:
      'A form with the file: a PNG, a JPEG or a WebP by its content, of at most 512 KiB and 1024 pixels in each direction. Answers 400 for anything else. The picture counts for the storage of the workspace.',
    access: 'credential',
    reach: 'none',
    upload: { field: 'options', fields: z.strictObject({}) },
    reply: data(200, ownAccount),
    errors: ['STORAGE_QUOTA_EXCEEDED'],
  },
  remove: {
    method: 'DELETE',
    path: '/api/me/picture',
    summary: 'Remove your own picture',
    access: 'credential',
    reach: 'none',
    reply: data(200, ownAccount),
  },
  read: {
    method: 'GET',
    path: '/api/employees/{id}/picture/{version}',
    summary: 'Load the picture of a colleague',
    description:
      'The address is the `pictureUrl` of the person. It gives the same picture for as long as the person has it, then 404.',
    access: 'credential',
    reach: 'none',
    params: z.object({ id, version: id }),
    reply: bytes('image/*'),
  },
})
