import { vi } from 'vitest'

type Body = Record<string, unknown>
type Reply = { status?: number; body?: unknown; wait?: number }
export type Call = { name: string; body: Body; authorization: string }

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

type Guard = { id: string; friendly_name: string; factor_type: string; status: string; last_challenged_at?: string }

/** A factor as the service lists it. */
export const factorOf = (friendly_name: string, more: Partial<Guard> = {}): Guard => ({
  id: `${friendly_name.length}0000000-0000-4000-8000-000000000000`.slice(-36),
  friendly_name,
  factor_type: 'totp',
  status: 'verified',
  ...more,
})

type Strength = { aal?: 'aal1' | 'aal2'; factors?: Guard[] }

/** A session as the service answers it, opened by a method of its list. */
export function sessionOf(email: string, method = 'password', { aal = 'aal1', factors = [] }: Strength = {}) {
  const now = Math.floor(Date.now() / 1000)
  const user = { id: '11111111-1111-4111-8111-111111111111', aud: 'authenticated', role: 'authenticated', email }
  const claims = {
    sub: user.id,
    session_id: 'the-session-now',
    email,
    exp: now + 3600,
    aal,
    amr: [{ method, timestamp: now }],
  }
  return {
    access_token: `${encode({ alg: 'ES256' })}.${encode(claims)}.${encode('signature')}`,
    token_type: 'bearer',
    expires_in: 3600,
    expires_at: now + 3600,
    refresh_token: 'a-refresh-token',
    user: { ...user, app_metadata: {}, user_metadata: {}, factors, created_at: '2026-11-01T00:00:00Z' },
  }
}

export const refusal = (status: number, code: string, message: string, more: Body = {}): Reply => ({
  status,
  body: { code, message, ...more },
})

/** The auth service as the browser meets it: answers by method and path, and what was asked. */
export function authService(answers: Record<string, (body: Body) => Reply | Promise<Reply>>): Call[] {
  const calls: Call[] = []
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const { pathname, search } = new URL(String(input))
    const path = pathname.replace('/auth/v1', '')
    const grant = /grant_type=\w+/.exec(search)?.[0]
    const name = `${init.method ?? 'GET'} ${grant ? `${path}?${grant}` : path}`
    const body = init.body ? (JSON.parse(String(init.body)) as Body) : {}
    calls.push({ name, body, authorization: new Headers(init.headers).get('Authorization') ?? '' })
    const answer = answers[name]
    if (!answer) throw new TypeError('Failed to fetch')
    const { status = 200, body: reply, wait } = await answer(body)
    return new Response(status === 204 ? null : JSON.stringify(reply ?? {}), {
      status,
      headers: {
        'Content-Type': 'application/json',
        'X-Supabase-Api-Version': '2024-01-01',
        ...(wait ? { 'Retry-After': String(wait) } : {}),
      },
    })
  })
  return calls
}
