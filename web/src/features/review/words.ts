import { grouped } from '@/lib/format'

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** A moment's day in UTC, the same for whoever reads it; the page renderer has no Intl. */
export function dayOf(moment: string): string {
  const [year, month, day] = moment.slice(0, 10).split('-').map(Number)
  return `${months[(month ?? 1) - 1]} ${day}, ${year}`
}

export const counted = (many: number, noun: string) => `${grouped(many)} ${noun}${many === 1 ? '' : 's'}`
