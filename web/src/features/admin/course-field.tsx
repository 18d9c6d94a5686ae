import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId, useState } from 'react'
import { run } from '@/lib/backend'
import { contains } from '@/lib/read'
import { Icon } from '@/ui/all-icons'
import { Button } from '@/ui/button'
import { useAdminKey } from './pages'

/** Titles to choose from: there may be very many, so they are looked for as one types. */
function useTitles(text: string) {
  const admin = useAdminKey()
  const wanted = useDeferredValue(text.trim())
  const { data } = useQuery({
    queryKey: [...admin, 'titles', wanted],
    queryFn: ({ signal }) =>
      run<{ title: string }>(
        {
          table: 'courses',
          columns: { title: 'string' },
          ...(wanted === '' ? {} : { or: [contains('title', wanted)] }),
          order: [['created_at', 'desc']],
          limit: 12,
        },
        signal,
      ),
    placeholderData: (known) => known,
  })
  return data?.rows.map(({ title }) => title) ?? []
}

/** Narrows the list to one course. */
export function CourseField({ value, onChange }: { value: string; onChange: (title: string) => void }) {
  const id = useId()
  const [text, setText] = useState('')
  const titles = useTitles(text)
  if (value !== '')
    return (
      <Button onClick={() => onChange('')} className="max-w-72 min-w-0 shrink">
        <bdi className="truncate">{value}</bdi>
        <Icon name="close" className="size-4" />
        <span className="sr-only">: show all courses</span>
      </Button>
    )
  return (
    <form
      className="w-56 max-sm:flex-1"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') onChange(text.trim())
      }}
    >
      <input
        list={id}
        aria-label="Course"
        placeholder="All courses"
        autoComplete="off"
        value={text}
        onChange={(event) => {
          const typed = event.target.value
          setText(typed)
          if (titles.includes(typed)) onChange(typed)
        }}
        className="h-11 w-full rounded-control border border-control bg-surface-2 px-3 text-base transition-colors placeholder:text-muted hover:border-muted focus-visible:outline-offset-0 md:text-[0.9375rem]"
      />
      <datalist id={id}>
        {titles.map((title) => (
          <option key={title} value={title} />
        ))}
      </datalist>
    </form>
  )
}
