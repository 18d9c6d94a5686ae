import type { Session } from '@supabase/auth-js'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { auth } from '@/lib/session'
import { settings } from '@/lib/settings'
import { Room } from './room'

const quiet = 'inline-flex min-h-11 items-center font-medium text-foreground underline underline-offset-4'

/** The room between the first step of signing in and the second. */
export function HalfWay({ session, children }: { session: Session; children: ReactNode }) {
  const signOut = useMutation({
    networkMode: 'always',
    mutationFn: async () => (await auth()).signOut({ scope: 'local' }),
  })
  return (
    <Room title="One more step">
      <h1 className="font-serif text-title tracking-tight">One more step</h1>
      <p className="mt-2 mb-8 text-muted">
        Confirm it’s you. <span className="wrap-anywhere text-foreground">{session.user.email}</span> is protected by
        two-step verification.
      </p>
      {children}
      <p className="mt-8 flex flex-wrap items-center gap-x-4 border-t border-hairline pt-5 text-meta text-muted">
        Don’t have your device?
        <a href={`mailto:${settings().supportEmail}`} className={quiet}>
          Contact support
        </a>
        <button type="button" disabled={signOut.isPending} onClick={() => signOut.mutate()} className={quiet}>
          Sign out
        </button>
      </p>
    </Room>
  )
}
