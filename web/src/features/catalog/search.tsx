import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { useParameter, withParameter } from '@/lib/address'
import { useDebounced } from '@/lib/debounced'
import { grouped } from '@/lib/format'
import { Head } from '@/lib/head'
import { readQuery } from '@/lib/query'
import { ErrorState } from '@/ui/error-state'
import { Icon } from '@/ui/icon'
import { Link } from '@/ui/link'
import { PageTitle } from '@/ui/page-title'
import { categories, knownCategory, pageLength, searchPage } from './api'
import { pill } from './category-strip'
import { CourseGrid, GridSkeleton, PagedGrid } from './course-grid'
import { NothingFound } from './nothing-found'

/** The text of the box and of the address as one; the box is never behind the fingers. */
function useSearchText() {
  const [q, setQ] = useParameter('q')
  const { state } = useLocation()
  const typedAs = useNavigationType()
  const [text, setText] = useState(q)
  const [seen, setSeen] = useState(q)
  if (q !== seen) {
    setSeen(q)
    // What was typed here comes back through the address a little later and is old news.
    const typedHere = typedAs === 'REPLACE' && (state as { stay?: boolean } | null)?.stay === true
    if (!typedHere) setText(q)
  }
  const type = (next: string) => {
    setText(next)
    setQ(next.trim() === '' ? '' : next)
  }
  return [text, type] as const
}

export function Search() {
  const [text, type] = useSearchText()
  const box = useRef<HTMLInputElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed before the app was there counts, once
  useEffect(() => {
    const typed = box.current?.value ?? ''
    if (typed !== text) type(typed)
  }, [])
  const query = useDebounced(text.trim(), 90)
  const [wanted] = useParameter('category')
  const category = knownCategory(wanted)
  const first = useQuery({ ...readQuery(searchPage(query, category, 0)), placeholderData: keepPreviousData })
  const total = first.data?.total ?? 0
  return (
    <div className="page-wide">
      <PageTitle>{category || 'Search'}</PageTitle>
      {category !== '' && <Head title={category} description={`All ${category} courses on Greenroom.`} />}
      {/* biome-ignore lint/a11y/useSemanticElements: browsers of 2022 do not know <search> */}
      <form
        role="search"
        aria-label="Courses"
        action="/search"
        onSubmit={(event) => event.preventDefault()}
        className="relative max-w-[760px]"
      >
        {category !== '' && <input type="hidden" name="category" value={category} />}
        <Icon
          name="search"
          className="pointer-events-none absolute top-1/2 left-5 size-6 -translate-y-1/2 text-muted"
        />
        <input
          ref={box}
          type="search"
          name="q"
          aria-label="Search courses"
          placeholder="Search courses..."
          autoComplete="off"
          value={text}
          onChange={(event) => type(event.target.value)}
          className="h-15 w-full rounded-card border border-control bg-surface-1 pr-5 pl-14 text-lg transition-colors placeholder:text-muted hover:border-muted"
        />
      </form>
      <CategoryLinks chosen={category} />
      <p role="status" className="mt-5 mb-6 min-h-6 text-muted tabular-nums">
        {first.data && !first.isPlaceholderData && outcome(total, query)}
      </p>
      {first.isLoadingError ? (
        <ErrorState
          title="Search isn’t responding"
          hint="The rest of the site still works."
          onRetry={() => void first.refetch()}
        />
      ) : first.data ? (
        <div className={clsx('transition-opacity', first.isPlaceholderData && 'opacity-60')}>
          {total === 0 && !first.isPlaceholderData ? (
            <NothingFound query={query} category={category} />
          ) : first.isPlaceholderData ? (
            <CourseGrid label="Courses" courses={first.data.rows} />
          ) : (
            <PagedGrid
              key={query + category}
              label="Courses"
              page={(number) => searchPage(query, category, number)}
              pages={Math.ceil(total / pageLength)}
            />
          )}
        </div>
      ) : (
        <GridSkeleton />
      )}
    </div>
  )
}

/** The categories to look in; what is typed stays. */
function CategoryLinks({ chosen }: { chosen: string }) {
  const { search } = useLocation()
  const strip = useRef<HTMLUListElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice may stand beyond the edge of a phone
  useEffect(() => {
    const lit = strip.current?.querySelector('[aria-current]')?.parentElement
    if (lit && strip.current)
      strip.current.scrollLeft = lit.offsetLeft + lit.offsetWidth / 2 - strip.current.clientWidth / 2
  }, [chosen])
  return (
    <nav aria-label="Categories" className="-mx-(--gutter) mt-5">
      <ul ref={strip} className="relative flex gap-2 overflow-x-auto px-(--gutter) py-2 [scrollbar-width:none]">
        {['', ...categories].map((category) => (
          <li key={category}>
            <Link
              to={`/search${withParameter(search, 'category', category)}`}
              aria-current={category === chosen ? 'page' : undefined}
              className={pill(category === chosen)}
            >
              {category === '' ? 'All' : category}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function outcome(total: number, query: string): string {
  if (total > 0) return total === 1 ? '1 course found' : `${grouped(total)} courses found`
  return query === '' ? 'No courses available' : `No courses found for "${query}"`
}
