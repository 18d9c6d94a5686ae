import { useEffect, useRef } from 'react'
import { Head } from '@/lib/head'
import { Button } from '@/ui/button'
import { Link } from '@/ui/link'

/** The last screen of an account. */
export function Goodbye() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className="page flex min-h-[70dvh] flex-col items-start justify-center">
      <Head title="Goodbye" robots="noindex" />
      <p className="kicker text-gold">Your account was deleted</p>
      <h1 ref={heading} tabIndex={-1} className="mt-4 font-serif text-hero tracking-[-0.02em] text-balance">
        Goodbye
      </h1>
      <p className="mt-4 max-w-[52ch] text-muted">
        Your list, your courses, notes and certificates, your waitlists and your messages are gone, too. The stage door
        is always open: the courses will be here whenever you come back.
      </p>
      <Button asChild look="primary" className="mt-8">
        <Link to="/">Browse Courses</Link>
      </Button>
    </div>
  )
}
