import { useEffect } from 'react'
import { useLocation } from 'react-router'
import type { HeadFacts } from '@/lib/head'
import { Button } from '@/ui/button'
import { Link } from '@/ui/link'

export const head: HeadFacts = {
  title: 'Page not found',
  description: 'There’s nothing at this address.',
  status: 404,
  robots: 'noindex',
}

export function Page() {
  const { pathname } = useLocation()
  useEffect(() => {
    console.warn('404: there is no page at', pathname)
  }, [pathname])
  return (
    <div className="page flex min-h-[70dvh] flex-col items-start justify-center">
      <p className="kicker text-gold">404</p>
      <h1 className="mt-4 font-serif text-hero tracking-[-0.02em] text-balance">Oops! Page not found</h1>
      <p className="mt-4 max-w-[52ch] text-muted">
        The lights are on, but nobody’s on this stage. The link may be old or mistyped.
      </p>
      <Button asChild look="primary" className="mt-8">
        <Link to="/">Return to Home</Link>
      </Button>
    </div>
  )
}
