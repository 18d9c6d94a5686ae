import type { Lesson } from './api'
import { minutes } from './words'

/** What kind of lesson it is, or how long it takes. */
export const kindOf = ({ kind, seconds }: Pick<Lesson, 'kind' | 'seconds'>) =>
  kind === 'video' ? minutes(seconds) : kind === 'quiz' ? 'Quiz' : 'Reading'
