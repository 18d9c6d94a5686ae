import { useMutation, useQueryClient } from '@tanstack/react-query'
import { BackendError, orThrow, rest } from '@/lib/backend'
import { call } from '@/lib/functions'
import { useReaderId } from '@/lib/session'
import { waitAdvice } from '@/lib/wait'
import { toast } from '@/ui/toast'
import { renew } from './api'

type Told = { said?: string; failed: string; takesAway?: boolean }

/** Why something was not saved, in a second line; what was typed stays where it is. */
function advice(error: unknown): string | undefined {
  if (navigator.onLine === false) return 'You are offline. What you wrote is kept here.'
  if (error instanceof BackendError && error.code === '42501') return 'You can no longer do this here.'
  return waitAdvice(error)
}

/** Something that is done, told of, and seen at once. */
function useChange<Input>({ said, failed, takesAway }: Told, change: (input: Input) => Promise<unknown>) {
  const client = useQueryClient()
  const user = useReaderId()
  return useMutation({
    mutationFn: change,
    onSuccess: async () => {
      if (said) toast.success(said)
      await renew(client, user)
      // What had the focus went with its row: it goes on above the list.
      if (takesAway && document.activeElement === document.body)
        document.querySelector<HTMLElement>('.discuss-bar')?.focus({ preventScroll: true })
    },
    onError: (error) => toast.error(failed, advice(error)),
  })
}

const add = async (table: string, row: object) => orThrow(await (await rest()).from(table).insert(row))
const put = async (table: string, id: string, row: object) =>
  orThrow(await (await rest()).from(table).update(row).eq('id', id).select('id').single())
const drop = async (table: string, id: string) =>
  orThrow(await (await rest()).from(table).delete().eq('id', id).select('id').single())

type Place = { course_id: string; lesson_id: string; at_seconds: number | null }

export const useAddNote = () =>
  useChange({ said: 'Note saved', failed: 'Failed to save note. Please try again.' }, (row: Place & { text: string }) =>
    add('lesson_notes', row),
  )

export const useChangeNote = (id: string) =>
  useChange({ said: 'Note saved', failed: 'Failed to save note. Please try again.' }, (text: string) =>
    put('lesson_notes', id, { text }),
  )

export const useAsk = () =>
  useChange(
    { said: 'Question posted', failed: 'Failed to post question. Please try again.' },
    (row: Place & { title: string; text: string }) => add('lesson_questions', row),
  )

export const useAnswer = (course_id: string, question_id: string) =>
  useChange({ said: 'Answer posted', failed: 'Failed to post answer. Please try again.' }, (text: string) =>
    add('lesson_answers', { course_id, question_id, text }),
  )

export type Kind = 'question' | 'answer'
const tables = { note: 'lesson_notes', question: 'lesson_questions', answer: 'lesson_answers' }

/** Other words for one's own post, within the quarter of an hour. */
export const useReword = (kind: Kind, id: string) =>
  useChange({ said: 'Saved', failed: 'Failed to save. Please try again.' }, (words: { title?: string; text: string }) =>
    put(tables[kind], id, words),
  )

export const useDelete = (kind: Kind | 'note', id: string) =>
  useChange(
    { said: `Deleted the ${kind}`, failed: `Failed to delete the ${kind}. Please try again.`, takesAway: true },
    () => drop(tables[kind], id),
  )

export const useReport = (kind: Kind, id: string) =>
  useChange(
    { said: 'Thank you. We will look at it.', failed: 'Failed to report it. Please try again.' },
    (reason: string) => call('report-post', { kind, id, reason }),
  )

export const useHide = (kind: Kind, id: string) =>
  useChange({ failed: 'Failed to hide it. Please try again.', takesAway: true }, (reason: string) =>
    call('hide-post', { kind, id, reason }),
  )

/** Shows what was hidden, or keeps what was reported: its reports are gone then. */
export const useShow = (kind: Kind, id: string) =>
  useChange({ failed: 'Failed to show it. Please try again.', takesAway: true }, () =>
    call('hide-post', { kind, id, hidden: false }),
  )

export const usePin = (question: string) =>
  useChange({ failed: 'Failed to pin it. Please try again.' }, (pinned: boolean) =>
    call('pin-question', { question, pinned }),
  )

export const useAccept = (answer: string) =>
  useChange({ failed: 'Failed to accept the answer. Please try again.' }, (accepted: boolean) =>
    call('accept-answer', { answer, accepted }),
  )
