import { useEffect } from 'react'
import { Still } from '@/features/catalog/still'
import { SecondStep } from '@/features/factor/second-step'
import { QuizEditor } from '@/features/quiz/editor'
import { TeachScreen } from '@/features/teach/teach-screen'
import type { HeadFacts } from '@/lib/head'
import { useLater } from '@/lib/later'
import type { Params } from '@/lib/page'
import { Spinner } from '@/ui/spinner'

export const head: HeadFacts = { title: 'Teach', description: 'Write and run your courses.', robots: 'noindex' }

export function Page({ params }: { params: Params }) {
  return (
    <TeachScreen
      course={params.course}
      SecondStep={SecondStep}
      questions={(course) => <Questions course={course} />}
      quiz={(props) => <QuizEditor {...props} />}
      still={(course) => <Still course={course} sizes="168px" className="aspect-video w-full" />}
    />
  )
}

const loadQuestions = () => import('@/features/discuss/questions-tab').then((module) => module.QuestionsTab)

function Questions({ course }: { course: string }) {
  const [QuestionsTab, bring] = useLater(loadQuestions)
  useEffect(() => void bring(), [bring])
  return QuestionsTab ? <QuestionsTab course={course} /> : <Spinner label="Loading the questions" />
}
