import { type FunctionInvokeOptions, FunctionsClient, FunctionsHttpError } from '@supabase/functions-js'
import { BackendError, fetchAsCaller } from './backend'

let client: FunctionsClient | undefined

/** The site's functions: `functions().invoke(name, { body })`. */
export function functions(): FunctionsClient {
  client ??= new FunctionsClient(`${location.origin}/functions/v1`, { customFetch: fetchAsCaller })
  return client
}

/** Calls a function and gives its answer; a refusal is thrown with what the server said. */
export const call = <Answer>(name: string, body: object, signal?: AbortSignal): Promise<Answer> =>
  invoke(name, { body, ...(signal ? { signal } : {}) })

/** Reads what a function knows. */
export const ask = <Answer>(name: string, signal: AbortSignal): Promise<Answer> =>
  invoke(name, { method: 'GET', signal })

async function invoke<Answer>(name: string, options: FunctionInvokeOptions): Promise<Answer> {
  const { data, error } = await functions().invoke(name, options)
  if (!error) return data as Answer
  if (!(error instanceof FunctionsHttpError)) throw new BackendError(error.message, 0)
  const response = error.context as Response
  const told = (await response.json().catch(() => null)) as { message?: string; code?: string } | null
  throw new BackendError(told?.message ?? error.message, response.status, told?.code)
}
