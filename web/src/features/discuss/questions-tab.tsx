import './discuss.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReaderId } from '@/lib/session'
import { Button } from '@/ui/button'
import { EmptyState } from '@/ui/empty-state'
import { ErrorState } from '@/ui/error-state'
import { Skeleton } from '@/ui/skeleton'
import { askedQuery, useRole } from './api'
import { QuestionPost } from './question'

const many = (count: number, noun: string) => (count >= 1000 ? `1,000+ ${noun}` : `${count} ${noun}`)

/** The questions of a course for those who teach it: what waits for an answer stands first. */
export function QuestionsTab({ course }: { course: string }) {
  const user = useReaderId()
  const [only, setOnly] = useState<'' | 'reported'>('')
  const query = useInfiniteQuery(askedQuery(user, course, only))
  const { teaches } = useRole(course)
  const rows = query.data?.pages.flatMap((page) => page.questions) ?? []
  const first = query.data?.pages[0]
  if (query.isLoadingError)
    return (
      <ErrorState
        title="The questions could not be loaded"
        hint="The other tabs still work."
        onRetry={() => void query.refetch()}
      />
    )
  if (!first) return <Skeleton className="discuss-waiting" />
  return (
    <section className="discuss-studio" aria-labelledby="discuss-asked">
      <h2 id="discuss-asked" className="sr-only">
        Questions
      </h2>
      {(rows.length > 0 || only) && (
        <div className="discuss-bar" tabIndex={-1}>
          <p role="status">{many(first.unanswered, 'unanswered')}</p>
          {(first.reported > 0 || only) && (
            <Button size="small" aria-pressed={only !== ''} onClick={() => setOnly(only ? '' : 'reported')}>
              {many(first.reported, 'reported')}
            </Button>
          )}
        </div>
      )}
      {!teaches && rows.length > 0 && (
        <p className="discuss-empty">Answers come from the course’s teachers. Add yourself in Settings to answer.</p>
      )}
      {rows.length === 0 ? (
        <EmptyState
          title={only ? 'Nothing is reported' : 'No questions yet'}
          hint={only ? 'What learners report shows here.' : 'What learners ask shows here, and you get an email.'}
        />
      ) : (
        <ul className="discuss-list">
          {rows.map((one) => (
            <QuestionPost
              key={one.id}
              course={course}
              question={{ ...one, mine: false }}
              minds
              mayPost={teaches}
              flags={one.flags}
              place={{ title: one.lesson_title, to: `/learn/${course}/${one.lesson_id}?question=${one.id}` }}
            />
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <div>
          <Button size="small" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {query.isFetchingNextPage ? 'Loading…' : 'Show more'}
          </Button>
        </div>
      )}
    </section>
  )
}
