import './teach.css'
import type { ReactNode } from 'react'
import type { SecondStepForm } from '@/lib/auth-level'
import { isUuid } from '@/lib/uuid'
import { CourseList, type StillOf } from './course-list'
import { CourseStudio, NoCourse } from './course-studio'
import { Gate } from './gate'
import type { QuizSlot } from './quiz-work'

type TeachScreenProps = {
  course: string | undefined
  SecondStep: SecondStepForm
  still: StillOf
  /** What learners ask in a course. */
  questions: (course: string) => ReactNode
  quiz: QuizSlot
}

/** The studio: the courses that one teaches, and each with its curriculum and its learners. */
export function TeachScreen({ course, SecondStep, still, questions, quiz }: TeachScreenProps) {
  return (
    <div data-panel="teach">
      <div className="page pt-[calc(var(--header)+28px)]">
        {course === undefined && <h1 className="mb-6 font-serif text-[2.25rem] leading-tight tracking-tight">Teach</h1>}
        {course !== undefined && !isUuid(course) ? (
          <NoCourse />
        ) : (
          <Gate SecondStep={SecondStep} course={course}>
            {(who) =>
              course === undefined ? (
                <CourseList who={who} still={still} />
              ) : (
                <CourseStudio key={course} id={course} who={who} questions={questions(course)} quiz={quiz} />
              )
            }
          </Gate>
        )}
      </div>
    </div>
  )
}
