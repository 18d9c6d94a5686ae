import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { suggestions } from '@/features/catalog/api'
import { Suggestions } from '@/features/catalog/courses-of'
import { Lost } from '@/features/catalog/lost'
import type { HeadFacts } from '@/lib/head'
import { Button } from '@/ui/button'
import { Link } from '@/ui/link'

export const head: HeadFacts = {
  title: 'Page not found',
  description: 'There’s nothing at this address.',
  status: 404,
  robots: 'noindex',
}

export const plan = () => [suggestions]

export function Page() {
  const { pathname } = useLocation()
  useEffect(() => {
    console.warn('404: there is no page at', pathname)
  }, [pathname])
  return (
    <Lost
      kicker="404"
      title="Oops! Page not found"
      hint="The lights are on, but nobody’s on this stage. The link may be old or mistyped."
      action={
        <Button asChild look="primary">
          <Link to="/">Return to Home</Link>
        </Button>
      }
      suggestions={<Suggestions />}
    />
  )
}
