const months = 'January February March April May June July August September October November December'.split(' ')

/** A moment's day as the paper has it, in UTC; the page renderer has no Intl. */
export function dayOf(moment: string): string {
  const [year, month, day] = moment.slice(0, 10).split('-').map(Number)
  return `${months[(month ?? 1) - 1]} ${day}, ${year}`
}

export const counted = (many: number, noun: string) => `${many} ${noun}${many === 1 ? '' : 's'}`

/** '3 hours 20 minutes'; '' for less than a minute. */
export function lengthOf(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const parts = [
    [Math.floor(minutes / 60), 'hour'],
    [minutes % 60, 'minute'],
  ] as const
  return parts
    .filter(([many]) => many > 0)
    .map(([many, noun]) => counted(many, noun))
    .join(' ')
}
