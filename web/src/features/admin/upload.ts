import { BackendError } from '@/lib/backend'
import { accessToken } from '@/lib/session'
import { settings } from '@/lib/settings'

/** The server's own bound: there is no use in sending more. */
export const mostBytes = 10 * 1024 * 1024

export const readable = 'image/jpeg,image/png,image/webp,image/gif'

/** What is wrong with a file, before any of it is sent. */
export function faultOf(file: File): string | undefined {
  if (!readable.split(',').includes(file.type)) return 'Please choose a JPEG, PNG, WebP or GIF picture.'
  if (file.size > mostBytes) return 'This picture is larger than 10 MB. Please choose a smaller one.'
  return undefined
}

/**
 * Sends a picture and gives the address it then has. It tells how much has left, from 0 to 1, which `fetch` cannot;
 * the signal ends it.
 */
export async function uploadPicture(file: File, signal: AbortSignal, onProgress: (part: number) => void) {
  const { apiKey } = settings()
  const token = await accessToken()
  return new Promise<string>((resolve, reject) => {
    const request = new XMLHttpRequest()
    const fail = (message: string) => reject(new BackendError(message, request.status))
    request.open('POST', '/storage/v1/picture/artwork')
    request.setRequestHeader('apikey', apiKey)
    request.setRequestHeader('Authorization', `Bearer ${token ?? apiKey}`)
    request.setRequestHeader('Content-Type', file.type)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onerror = () => fail('The connection broke off. Please try again.')
    request.onabort = () => reject(new DOMException('', 'AbortError'))
    request.onload = () => {
      const told = parsed(request.responseText)
      if (request.status === 200 && told.Key) resolve(`/storage/v1/object/public/${told.Key}`)
      else fail(told.message ?? 'The picture could not be stored. Please try again.')
    }
    signal.addEventListener('abort', () => request.abort())
    if (signal.aborted) reject(new DOMException('', 'AbortError'))
    else request.send(file)
  })
}

function parsed(text: string): { Key?: string; message?: string } {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
