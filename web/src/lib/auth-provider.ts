const brands: Record<string, string> = { google: 'Google', github: 'GitHub', email: 'Email and password' }

/** A provider as people call it. */
export const providerName = (name: string) => brands[name] ?? name.charAt(0).toUpperCase() + name.slice(1)

const words: Record<string, string> = {
  provider_email_needs_verification:
    'The address of that account is not verified there yet. Verify it with the provider, then try again.',
  user_banned: 'This account is suspended. Please contact support.',
  bad_oauth_state: 'That sign-in took too long or was begun in another browser. Please try again.',
  bad_oauth_callback: 'The provider did not let you in. Please try again, or choose another way.',
  unexpected_failure: 'Signing in did not work. Please try again in a moment.',
  identity_already_exists: 'That account is connected with another Greenroom account already.',
}

/** What went wrong at a provider, for people; '' when the code is of something else. */
export const providerError = (code: string) => words[code] ?? ''
