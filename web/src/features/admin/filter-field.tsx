import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { useParameter } from '@/lib/address'
import { Icon } from '@/ui/icon'

const wait = 250

type FilterFieldProps = {
  label: string
  placeholder: string
  /** A row of the list is being changed: what is typed counts once that is done, so that the row does not go away. */
  isHeld?: boolean
}

/** A search inside a tab; what it looks for stands in the address. */
export function FilterField({ label, placeholder, isHeld = false }: FilterFieldProps) {
  const [wanted, setWanted] = useParameter('q')
  const [text, setText] = useState(wanted)
  const { pathname, search } = useLocation()
  useEffect(() => {
    if (isHeld || text.trim() === wanted) return
    const timer = setTimeout(() => {
      // Whoever has chosen another tab or page meanwhile is not called back.
      if (location.pathname + location.search === pathname + search) setWanted(text.trim())
    }, wait)
    return () => clearTimeout(timer)
  }, [text, wanted, setWanted, isHeld, pathname, search])
  return (
    <search className="relative w-full min-w-0 sm:max-w-md sm:flex-1">
      <Icon name="search" className="pointer-events-none absolute top-3.25 left-3 size-4.5 text-muted" />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="h-11 w-full rounded-control border border-control bg-surface-2 pr-3 pl-10 text-base transition-colors placeholder:text-faint hover:border-muted focus-visible:outline-offset-0 md:text-[0.9375rem]"
      />
      {isHeld && text.trim() !== wanted && (
        <p role="status" className="mt-1.5 text-meta text-gold">
          Save or close the open course to search.
        </p>
      )}
    </search>
  )
}
