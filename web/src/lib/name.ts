import type { Session } from '@supabase/auth-js'

/** The name of an account as the server reads it; '' where there is none. */
export function nameOf({ user }: Session): string {
  const { name, full_name: fullName } = user.user_metadata
  return [name, fullName].find((text): text is string => typeof text === 'string' && text.trim() !== '')?.trim() ?? ''
}
