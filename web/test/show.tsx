import type { Session } from '@supabase/auth-js'
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter, useLocation } from 'react-router'
import { makeQueryClient } from '@/lib/query'
import { provideSession } from '@/lib/session'
import { ToastHost } from '@/ui/toast'

export const reader = {
  id: '11111111-1111-4111-8111-111111111111',
  email: 'mara@greenroom.test',
  user_metadata: { name: 'Mara' },
}

export const signIn = () =>
  provideSession({ status: 'signed-in', session: { user: reader, access_token: 'token' } as unknown as Session })

export const signOut = () => provideSession({ status: 'anonymous', session: null })

/** As a page starts: somebody may be signed in, but it is not known yet. */
export const start = () => provideSession({ status: 'loading', session: null })

function Address() {
  const { pathname, search } = useLocation()
  return <p data-testid="address">{pathname + search}</p>
}

/** Shows a part of the app at an address, with its toasts. */
export function show(part: ReactNode, path = '/') {
  const queryClient = makeQueryClient()
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retry: false } })
  return render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[path]}>
        {part}
        <Address />
        <ToastHost />
      </MemoryRouter>
    </QueryClientProvider>,
  )
}
