// A quiz while it is written. It travels as text, so that it is saved as the text of a lesson is: every change gives a new one.

export type DraftChoice = { id: string; text: string; correct: boolean }
export type DraftQuestion = { id: string; prompt: string; many: boolean; explanation: string; choices: DraftChoice[] }

export const mostQuestions = 50
export const mostChoices = 10

/** The questions in a text; what cannot be read is an empty quiz. */
export function questionsIn(text: string): DraftQuestion[] {
  try {
    const found: unknown = JSON.parse(text)
    return Array.isArray(found) ? (found as DraftQuestion[]) : []
  } catch {
    return []
  }
}

/** The text of questions, with the fields in the order in which the server gives them. */
export const textOf = (questions: readonly DraftQuestion[]) =>
  JSON.stringify(
    questions.map(({ id, prompt, many, explanation, choices }) => ({
      id,
      prompt,
      many,
      explanation,
      choices: choices.map(({ id, text, correct }) => ({ id, text, correct })),
    })),
  )

/** A name that nothing else in the quiz has. */
const newId = () => Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join('')

export const newChoice = (): DraftChoice => ({ id: newId(), text: '', correct: false })

export const newQuestion = (): DraftQuestion => ({
  id: newId(),
  prompt: '',
  many: false,
  explanation: '',
  choices: [newChoice(), newChoice()],
})

/** Moves one of a list by a step; the same list where there is no place. */
export function moved<One>(list: readonly One[], from: number, step: -1 | 1): One[] {
  const next = [...list]
  const [one, other] = [list[from], list[from + step]]
  if (one === undefined || other === undefined) return next
  next[from] = other
  next[from + step] = one
  return next
}

/** Marks a choice as right, or not; where one answer is taken, it is the only one. */
export const marked = (question: DraftQuestion, choice: string, correct: boolean): DraftQuestion => ({
  ...question,
  choices: question.choices.map((one) =>
    one.id === choice ? { ...one, correct } : question.many ? one : { ...one, correct: false },
  ),
})

/** Lets a question take one answer or several; of several right choices the first stays right. */
export function taking(question: DraftQuestion, many: boolean): DraftQuestion {
  const first = question.choices.find(({ correct }) => correct)
  if (many || !first) return { ...question, many }
  return { ...question, many, choices: question.choices.map((one) => ({ ...one, correct: one === first })) }
}
