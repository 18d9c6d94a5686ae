/** How much must be right, in percent. */
export const passAt = 80

/** '5 questions · 80% to pass · try as often as you like'. */
export const lead = (many: number) =>
  `${many === 1 ? '1 question' : `${many} questions`} · ${passAt}% to pass · try as often as you like`

/** What is said of a choice after an answer, in words and not by color alone. */
export function said(
  isPicked: boolean,
  isRight: boolean,
): { tone: 'right' | 'wrong' | 'missed'; text: string } | undefined {
  if (isPicked)
    return isRight ? { tone: 'right', text: 'Your answer, right' } : { tone: 'wrong', text: 'Your answer, wrong' }
  return isRight ? { tone: 'missed', text: 'Right answer' } : undefined
}

/** A moment as its reader's clock shows it: 'Nov 28, 1:30 PM'. */
export const moment = (time: string) =>
  new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })
    .format(Date.parse(time))
    .replaceAll('\u202f', ' ')
