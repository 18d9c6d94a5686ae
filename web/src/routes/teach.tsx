import { Still } from '@/features/catalog/still'
import { SecondStep } from '@/features/factor/second-step'
import { TeachScreen } from '@/features/teach/teach-screen'
import type { HeadFacts } from '@/lib/head'
import type { Params } from '@/lib/page'

export const head: HeadFacts = { title: 'Teach', description: 'Write and run your courses.', robots: 'noindex' }

export function Page({ params }: { params: Params }) {
  return (
    <TeachScreen
      course={params.course}
      SecondStep={SecondStep}
      still={(course) => <Still course={course} sizes="168px" className="aspect-video w-full" />}
    />
  )
}
