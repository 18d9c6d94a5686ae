import { queryOptions } from '@tanstack/react-query'
import { call } from '@/lib/functions'

export type Choice = { id: string; text: string }
export type Question = { id: string; prompt: string; many: boolean; choices: Choice[] }
export type Attempt = { percent: number; passed: boolean; created_at: string }

/** A quiz as those get it who have not answered: nothing in it says what is right. */
export type Sheet = {
  questions: Question[]
  /** Who teaches the course tries it, and nothing is kept of that. */
  may: 'answer' | 'try' | 'enroll'
  attempts: Attempt[]
  best: number | null
  passed: boolean
}

/** The choices that were picked, by question. */
export type Picked = Readonly<Record<string, readonly string[]>>

export type Verdict = { id: string; right: boolean; correct: string[]; explanation: string }

/** Where a learner stands in the lesson and in the course. */
export type Saved = {
  position_seconds: number
  covered: string
  completed_at: string | null
  course_completed_at: string | null
  done: number
  of: number
  certificate: string | null
}

export type Judged = { percent: number; passed: boolean; questions: Verdict[]; progress: Saved | null }

/** The quiz of a lesson for this reader; their id is in the key, by which it goes when they do. */
export const sheetQuery = (user: string, lesson: string, draft: boolean) =>
  queryOptions({
    queryKey: ['quiz', user, lesson, draft],
    queryFn: ({ signal }) => call<Sheet>('quiz', { lesson, ...(draft ? { draft } : {}) }, signal),
    // Nothing may change under somebody who answers.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

export const answerQuiz = (lesson: string, answers: Picked, draft: boolean) =>
  call<Judged>('answer-quiz', { lesson, answers, ...(draft ? { draft } : {}) })
