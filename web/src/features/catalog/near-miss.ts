import type { Answer } from '@/lib/read'
import type { CourseSummary } from './api'

// The search finds a text as it was typed. Where it finds nothing, one wrong letter should not be the end of the road:
// half of a mistyped word is still right, and what that half finds holds the word that was meant.

type Find = (text: string) => Promise<Answer<CourseSummary>>

const mostWords = 3

/** How many letters must change to make one word of the other; two that changed places count as one. */
export function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const at = (back: number, left: number) => rows[i - back]?.[j - left] ?? 0
      const best = Math.min(at(1, 0) + 1, (row[j - 1] ?? 0) + 1, at(1, 1) + (a[i - 1] === b[j - 1] ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(swapped ? Math.min(best, at(2, 2) + 1) : best)
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}

const wordsOf = ({ title, instructor, category }: CourseSummary) =>
  `${title} ${instructor} ${category}`.toLowerCase().split(/[^\p{L}\p{N}]+/u)

/** The word nearest to a mistyped one among the courses that half of it finds; the word itself when none is near. */
async function nearest(word: string, find: Find): Promise<string> {
  if (word.length < 4) return word
  const middle = Math.ceil(word.length / 2)
  const halves = await Promise.all([find(word.slice(0, middle)), find(word.slice(middle))])
  const known = new Set(halves.flatMap(({ rows }) => rows.flatMap(wordsOf)))
  const near = [...known]
    .map((one) => ({ one, far: distance(word, one) }))
    .filter(({ far }) => far <= (word.length < 8 ? 1 : 2))
    .sort((a, b) => a.far - b.far)
  return near[0]?.one ?? word
}

/** What may have been meant by a text that finds nothing, and finds something; '' when nothing comes near. */
export async function meant(text: string, find: Find): Promise<string> {
  const typed = text.toLowerCase()
  const words = typed.split(/\s+/)
  const other = words.map((word) => ({ and: '&', '&': 'and' })[word] ?? word).join(' ')
  const tries = [other]
  if (words.length <= mostWords) tries.push((await Promise.all(words.map((word) => nearest(word, find)))).join(' '))
  for (const one of tries) if (one !== typed && ((await find(one)).total ?? 0) > 0) return one
  return ''
}
