import type { Session } from '@supabase/auth-js'
import { type ReactNode, useEffect, useRef } from 'react'
import { Navigate, useLocation } from 'react-router'
import { rememberWanted } from './memory'
import { useSession } from './session'

type Gate = { pending: ReactNode; children: (session: Session) => ReactNode }

/** Shows its children to who is signed in; everybody else goes to /auth and comes back afterwards. */
export function RequireSession({ pending, children }: Gate) {
  const state = useSession()
  const { pathname, search } = useLocation()
  // Who signs out here leaves: the next to sign in starts at the beginning.
  const wasHere = useRef(false)
  useEffect(() => {
    if (state.status === 'signed-in') wasHere.current = true
    else if (state.status === 'anonymous' && !wasHere.current && pathname !== '/auth') rememberWanted(pathname + search)
  }, [state.status, pathname, search])
  if (state.status === 'loading') return pending
  if (state.status === 'anonymous') return <Navigate to="/auth" replace />
  return children(state.session)
}
