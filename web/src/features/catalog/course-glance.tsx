import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { readQuery } from '@/lib/query'
import { courseById } from './api'

/** The first sentence about a course, over its picture while a pointer rests on the card. Its page reads the same. */
export function CourseGlance({ id }: { id: string }) {
  // A pointer that only passes asks for nothing.
  const [rests, setRests] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setRests(true), 150)
    return () => clearTimeout(timer)
  }, [])
  const { data } = useQuery({ ...readQuery(courseById(id)), enabled: rests })
  const [sentence = ''] = data?.rows[0]?.description.split(/(?<=[.!?])\s/) ?? []
  if (sentence === '') return null
  return (
    <p
      aria-hidden="true"
      className="scrim-floor absolute inset-0 flex animate-[fade_300ms_both] items-end rounded-card p-3.5 text-meta text-foreground [--scrim-middle:var(--color-shade)]"
    >
      <span className="line-clamp-4">{sentence}</span>
    </p>
  )
}
