import { signIn } from '@test/show'
import { answerOf, enrollment, lesson, school, showLesson } from '@test/taught'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'

const sheet = {
  questions: [
    {
      id: 'q1',
      prompt: 'Where is the lens?',
      many: false,
      choices: [choice('a', 'At the eyes'), choice('b', 'At the chin')],
    },
    {
      id: 'q2',
      prompt: 'What helps?',
      many: true,
      choices: [choice('c', 'Light'), choice('d', 'Water'), choice('e', 'Noise')],
    },
  ],
  may: 'answer',
  attempts: [] as object[],
  best: null as number | null,
  passed: false,
}

function choice(id: string, text: string) {
  return { id, text }
}

const judged = (percent: number, rights: boolean[], completed_at: string | null) => ({
  percent,
  passed: percent >= 80,
  questions: [
    { id: 'q1', right: rights[0], correct: ['a'], explanation: 'They look at your eyes.' },
    { id: 'q2', right: rights[1], correct: ['c', 'd'], explanation: '' },
  ],
  progress: {
    position_seconds: 0,
    covered: '',
    completed_at,
    course_completed_at: null,
    done: completed_at ? 1 : 0,
    of: 2,
    certificate: null,
  },
})

function backend(more: Parameters<typeof school>[0] = {}) {
  return school({
    enrollments: () => ({ body: [enrollment] }),
    lessons: () => ({ body: [lesson('l1', { kind: 'quiz' }), lesson('l2')] }),
    lesson: () => ({
      status: 200,
      body: answerOf('l1', { body: '', lesson: { ...answerOf('l1').lesson, kind: 'quiz' } }),
    }),
    quiz: () => ({ status: 200, body: sheet }),
    ...more,
  })
}

const question = async (name: RegExp) => within(await screen.findByRole('group', { name }))

describe('a quiz in its lesson', () => {
  beforeEach(signIn)

  it('asks for what is missing before it asks the server', async () => {
    const server = backend()
    showLesson('l1')
    const first = await question(/Where is the lens/)
    expect(screen.queryByRole('button', { name: 'Mark as complete' })).toBeNull()
    await userEvent.click(first.getByLabelText('At the eyes'))
    await userEvent.click(screen.getByRole('button', { name: 'Check Answers' }))
    await screen.findByText('Answer every question first.')
    expect(document.activeElement).toBe(screen.getByLabelText('Light'))
    expect(server.of('POST', '/functions/v1/answer-quiz')).toHaveLength(0)
  })

  it('keeps what was picked through a reload, until it is checked', async () => {
    backend({ 'answer-quiz': () => ({ status: 200, body: judged(50, [false, true], null) }) })
    showLesson('l1')
    await userEvent.click((await question(/Where is the lens/)).getByLabelText('At the chin'))
    cleanup()
    showLesson('l1')
    const again = await question(/Where is the lens/)
    expect(again.getByLabelText('At the chin')).toHaveProperty('checked', true)
    await userEvent.click(screen.getByLabelText('Light'))
    await userEvent.click(screen.getByRole('button', { name: 'Check Answers' }))
    await screen.findByRole('heading', { name: '50%. Not passed yet' })
    cleanup()
    showLesson('l1')
    expect((await question(/Where is the lens/)).getByLabelText('At the chin')).toHaveProperty('checked', false)
  })

  it('says in words what was right, keeps nothing back, and is tried again', async () => {
    let answered: unknown
    backend({
      'answer-quiz': (call) => {
        answered = call.body
        return { status: 200, body: judged(50, [false, true], null) }
      },
    })
    showLesson('l1')
    await userEvent.click((await question(/Where is the lens/)).getByLabelText('At the chin'))
    await userEvent.click(screen.getByLabelText('Water'))
    await userEvent.click(screen.getByLabelText('Light'))
    await userEvent.click(screen.getByRole('button', { name: 'Check Answers' }))
    const heading = await screen.findByRole('heading', { name: '50%. Not passed yet' })
    await waitFor(() => expect(document.activeElement).toBe(heading))
    expect(answered).toEqual({ lesson: 'l1', answers: { q1: ['b'], q2: ['d', 'c'] } })
    const first = await question(/Where is the lens/)
    first.getByText('Your answer, wrong')
    first.getByText('Right answer')
    first.getByText('Wrong')
    first.getByText('They look at your eyes.')
    ;(await question(/What helps/)).getByText('Right')
    await userEvent.click(screen.getAllByRole('button', { name: 'Try Again' })[0] as HTMLElement)
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('At the eyes')))
    expect(screen.queryByText('They look at your eyes.')).toBeNull()
    expect(screen.getByLabelText<HTMLInputElement>('At the chin').checked).toBe(false)
  })

  it('is completed by passing, and leads on', async () => {
    let isPassed = false
    backend({
      quiz: () => ({ status: 200, body: isPassed ? { ...sheet, best: 100, passed: true } : sheet }),
      'answer-quiz': () => {
        isPassed = true
        return { status: 200, body: judged(100, [true, true], '2026-11-16T10:00:00Z') }
      },
    })
    showLesson('l1')
    await userEvent.click((await question(/Where is the lens/)).getByLabelText('At the eyes'))
    await userEvent.click(screen.getByLabelText('Light'))
    await userEvent.click(screen.getByRole('button', { name: 'Check Answers' }))
    await screen.findByRole('heading', { name: 'You passed with 100%' })
    await screen.findByText('Lesson completed')
    await screen.findByText('Completed')
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
    expect(screen.getByRole('link', { name: 'Next Lesson' }).getAttribute('href')).toBe('/learn/c1/l2')
    await userEvent.click(screen.getAllByRole('button', { name: 'Try Again' })[0] as HTMLElement)
    await screen.findByText('Best result: 100%. You passed.')
  })

  it('is left by Next without being completed', async () => {
    const server = backend()
    showLesson('l1')
    await question(/Where is the lens/)
    await userEvent.click(screen.getByRole('link', { name: /^Next/ }))
    expect(server.of('POST', '/functions/v1/save-progress')).toHaveLength(0)
  })

  it('is read by who does not take the course, and not checked', async () => {
    backend({ enrollments: () => ({ body: [] }), quiz: () => ({ status: 200, body: { ...sheet, may: 'enroll' } }) })
    showLesson('l1')
    await screen.findByText('Enroll to check your answers.')
    expect(screen.queryByRole('button', { name: 'Check Answers' })).toBeNull()
  })

  it('is looked at again when it has changed meanwhile', async () => {
    const server = backend({
      'answer-quiz': () => ({
        status: 409,
        body: { code: 'CONFLICT', message: 'This quiz has changed. Reload to see it.' },
      }),
    })
    showLesson('l1')
    await userEvent.click((await question(/Where is the lens/)).getByLabelText('At the eyes'))
    await userEvent.click(screen.getByLabelText('Light'))
    await userEvent.click(screen.getByRole('button', { name: 'Check Answers' }))
    await screen.findByText('This quiz has changed. Answer what is new and check again.')
    await waitFor(() => expect(server.of('POST', '/functions/v1/quiz')).toHaveLength(2))
    expect(screen.getByLabelText<HTMLInputElement>('At the eyes').checked).toBe(true)
  })
})
