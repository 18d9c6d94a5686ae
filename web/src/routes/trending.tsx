import { topRated } from '@/features/catalog/api'
import { CoursesOf } from '@/features/catalog/courses-of'
import type { HeadFacts } from '@/lib/head'
import { PageTitle } from '@/ui/page-title'

export const head: HeadFacts = { title: 'Trending Now', description: 'The twelve highest-rated courses on Greenroom.' }

export const plan = () => [topRated]

export function Page() {
  return (
    <div className="page-wide">
      <PageTitle lead="The twelve courses that learners rate highest.">Trending Now</PageTitle>
      <CoursesOf read={topRated} label="Trending Now" cards={12} />
    </div>
  )
}
