import { describe, expect, it } from 'vitest'
import { providerError, providerName } from './auth-provider'

describe('a provider', () => {
  it('has the name that people know', () => {
    expect(['google', 'github', 'acme'].map(providerName)).toEqual(['Google', 'GitHub', 'Acme'])
  })

  it('has words for each way to fail, and none for what is no failure of its own', () => {
    const codes = [
      'provider_email_needs_verification',
      'user_banned',
      'bad_oauth_state',
      'bad_oauth_callback',
      'unexpected_failure',
      'identity_already_exists',
    ]
    expect(new Set(codes.map(providerError)).size).toBe(codes.length)
    expect(codes.map(providerError)).not.toContain('')
    expect(providerError('otp_expired')).toBe('')
  })
})
