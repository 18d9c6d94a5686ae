import { useEffect, useRef } from 'react'
import { Button } from '@/ui/button'
import { Link } from '@/ui/link'

/** The last screen of an account. */
export function Goodbye() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="page">
      <h1 ref={heading} tabIndex={-1} className="font-serif text-title tracking-tight">
        Goodbye
      </h1>
      <p className="mt-3 max-w-[52ch] text-muted">
        Your account is deleted, and with it your list, your waitlists and your messages. The stage door stays open: the
        courses are here whenever you come back.
      </p>
      <Button asChild look="primary" className="mt-8">
        <Link to="/">Browse Courses</Link>
      </Button>
    </div>
  )
}
