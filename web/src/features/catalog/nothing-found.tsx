import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { withParameter } from '@/lib/address'
import { useDebounced } from '@/lib/debounced'
import { keys } from '@/lib/keys'
import { readQuery } from '@/lib/query'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { Link } from '@/ui/link'
import { searchPage } from './api'
import { Suggestions } from './courses-of'
import { meant } from './near-miss'

type NothingFoundProps = { query: string; category: string }

/** What may have been meant, once the fingers have rested. */
function useMeant({ query, category }: NothingFoundProps): string {
  const client = useQueryClient()
  const rested = useDebounced(query, 300)
  const { data = '' } = useQuery({
    queryKey: [...keys.table('courses'), 'meant', category, query],
    queryFn: () => meant(query, (text) => client.fetchQuery(readQuery(searchPage(text, category, 0)))),
    enabled: query !== '' && rested === query,
    retry: false,
  })
  return data
}

/** Where a search leads nowhere: what may have been meant, a way on, and three courses to go on with. */
export function NothingFound({ query, category }: NothingFoundProps) {
  const { search } = useLocation()
  const near = useMeant({ query, category })
  const isEmpty = query === '' && category === ''
  return (
    <>
      {near !== '' && (
        <p className="text-lg">
          Did you mean{' '}
          <Link
            to={`/search${withParameter(search, 'q', near)}`}
            className="inline-flex min-h-11 items-center font-medium text-accent underline underline-offset-4"
          >
            {near}
          </Link>
          ?
        </p>
      )}
      <EmptyState
        {...wordsFor(query, category)}
        action={
          <Button asChild look="primary">
            {category === '' ? (
              <Link to="/">Browse Courses</Link>
            ) : (
              <Link to={`/search${withParameter(search, 'category', '')}`}>Search all categories</Link>
            )}
          </Button>
        }
      >
        {!isEmpty && <Suggestions />}
      </EmptyState>
    </>
  )
}

function wordsFor(query: string, category: string) {
  if (query === '')
    return {
      title: category === '' ? 'The stage is empty' : `Nothing in ${category} yet`,
      hint: 'New courses are on their way.',
    }
  return category === ''
    ? { title: 'Nothing by that name yet', hint: 'Try another word, or look through everything we have.' }
    : { title: `Nothing by that name in ${category}`, hint: 'It may stand in another category.' }
}
