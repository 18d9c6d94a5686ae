import { knownCategory, searchPage } from '@/features/catalog/api'
import { Search } from '@/features/catalog/search'
import { parameter } from '@/lib/address'
import type { HeadFacts } from '@/lib/head'
import type { PlanContext } from '@/lib/page'

export const head: HeadFacts = {
  title: 'Search courses',
  description: 'Find a course by title, instructor, category or subject.',
}

export const plan = ({ search }: PlanContext) => [
  searchPage(parameter(search, 'q').trim(), knownCategory(parameter(search, 'category')), 0),
]

export function Page() {
  return <Search />
}
