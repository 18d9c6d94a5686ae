import { useEffect } from 'react'
import { allOf, categories, categoryRow, comingSoonRow, knownCategory, trendingRow } from '@/features/catalog/api'
import { CategoryStrip, tabOf } from '@/features/catalog/category-strip'
import { CourseRow } from '@/features/catalog/course-row'
import { featuredWorkshop } from '@/features/waitlist/workshop'
import { WorkshopHero } from '@/features/waitlist/workshop-hero'
import { parameter, useParameter } from '@/lib/address'
import type { HeadFacts } from '@/lib/head'
import { useLater } from '@/lib/later'
import type { PlanContext } from '@/lib/page'
import { useReaderId } from '@/lib/session'
import { InTurn } from '@/startup/in-turn'
import { Stage } from './parts/stage'

export const head: HeadFacts = {
  title: 'Greenroom – courses for creators and performers',
  description:
    'Video courses in acting, filmmaking, AI tools, content and business, taught by people who do the work. Browse, save and join the waitlist.',
}

export function plan({ search }: PlanContext) {
  const category = knownCategory(parameter(search, 'category'))
  const rows = category ? [categoryRow(category)] : [trendingRow, comingSoonRow, ...categories.map(categoryRow)]
  return [featuredWorkshop, ...rows]
}

const panel = 'courses'

const loadMine = () => import('./parts/continue-learning').then((module) => module.ContinueLearning)

/** What is its reader's own comes once it is known that there is one. */
function Mine() {
  const [Row, bring] = useLater(loadMine)
  const user = useReaderId()
  useEffect(() => {
    if (user) void bring()
  }, [user, bring])
  return user && Row && <Row />
}

export function Page() {
  const [parameterValue, setCategory] = useParameter('category')
  const category = knownCategory(parameterValue)
  return (
    <>
      <WorkshopHero backdrop={<Stage />} />
      <div className="sticky top-(--header) z-20 bg-background">
        <CategoryStrip value={category} onChange={setCategory} panel={panel} />
      </div>
      <div
        role="tabpanel"
        id={panel}
        aria-labelledby={tabOf(panel, category)}
        className="flex flex-col gap-10 pt-8 pb-8 sm:gap-14"
      >
        {category ? (
          <CourseRow title={category} to={allOf(category)} read={categoryRow(category)} />
        ) : (
          <>
            <Mine />
            <InTurn seen>
              <CourseRow id="trending" title="Trending Now" to="/trending" read={trendingRow} look="ranked" />
            </InTurn>
            <InTurn>
              <CourseRow title="Coming Soon" read={comingSoonRow} look="wide" />
            </InTurn>
            {categories.map((name) => (
              <InTurn key={name}>
                <CourseRow title={name} to={allOf(name)} read={categoryRow(name)} />
              </InTurn>
            ))}
          </>
        )}
      </div>
    </>
  )
}
