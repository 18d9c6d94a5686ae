import { FunctionsClient } from '@supabase/functions-js'
import { fetchAsCaller } from './backend'

let client: FunctionsClient | undefined

/** The site's functions: `functions().invoke(name, { body })`. */
export function functions(): FunctionsClient {
  client ??= new FunctionsClient(`${location.origin}/functions/v1`, { customFetch: fetchAsCaller })
  return client
}
