import { BackendError } from '@/lib/backend'
import { accessToken } from '@/lib/session'
import { settings } from '@/lib/settings'

export const pictures = 'image/jpeg,image/png,image/webp,image/gif'
const mostBytes = 10 * 1024 * 1024

/** Sends a picture for a lesson's video, and gives the path that it is stored under: as a JPEG, with nothing else in it. */
export async function sendPicture(course: string, lesson: string, file: Blob): Promise<string> {
  if (!pictures.split(',').includes(file.type))
    throw new BackendError('Please choose a JPEG, PNG, WebP or GIF picture.', 415)
  if (file.size > mostBytes)
    throw new BackendError('This picture is larger than 10 MB. Please choose a smaller one.', 413)
  const { apiKey } = settings()
  const answer = await fetch(`/storage/v1/picture/lessons?folder=${course}/${lesson}`, {
    method: 'POST',
    headers: {
      apikey: apiKey,
      Authorization: `Bearer ${(await accessToken()) ?? apiKey}`,
      'Content-Type': file.type,
    },
    body: file,
  }).catch(() => {
    throw new BackendError('The connection broke off. Please try again.', 0)
  })
  const told = (await answer.json().catch(() => ({}))) as { Key?: string; message?: string }
  if (!answer.ok || !told.Key)
    throw new BackendError(told.message ?? 'The picture could not be stored. Please try again.', answer.status)
  return told.Key.replace(/^lessons\//, '')
}

/** The frame that a video shows now, as a picture of its own. */
export function frameOf(video: HTMLVideoElement): Promise<Blob | null> {
  const { videoWidth: width, videoHeight: height } = video
  if (video.readyState < 2 || width === 0) return Promise.resolve(null)
  const canvas = document.createElement('canvas')
  // What the server takes: neither very small nor larger than it is shown.
  canvas.width = Math.min(1280, Math.max(640, width))
  canvas.height = Math.round((height * canvas.width) / width)
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9))
}
