// Who is refused for asking too often is told how long to wait. The client libraries keep no headers, so what the
// server said is heard where the answer comes in, and kept until its refusal is put into words.

let until = 0

/** Passes an answer of the server on, and remembers how long it wants to be left alone. */
export function hearWait(answer: Response): Response {
  const seconds = Number(answer.headers.get('Retry-After'))
  if (answer.status === 429 && seconds > 0) until = Date.now() + seconds * 1000
  return answer
}

const count = (many: number, unit: string) => `${many} ${unit}${many === 1 ? '' : 's'}`

/** 'Try again in 4 minutes', where that is why the server refused. */
export function waitAdvice(error: unknown): string | undefined {
  if ((error as { status?: unknown } | null | undefined)?.status !== 429) return undefined
  const seconds = Math.ceil((until - Date.now()) / 1000)
  if (seconds <= 0) return 'Try again in a moment'
  if (seconds < 60) return `Try again in ${count(seconds, 'second')}`
  const minutes = Math.ceil(seconds / 60)
  return `Try again in ${minutes <= 90 ? count(minutes, 'minute') : count(Math.ceil(minutes / 60), 'hour')}`
}
