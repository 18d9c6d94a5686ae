const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A span as days, hours and minutes: '6d 23h 59m'; never negative. */
export function countdown(milliseconds: number): string {
  const left = Math.max(0, milliseconds)
  return `${Math.floor(left / day)}d ${Math.floor((left % day) / hour)}h ${Math.floor((left % hour) / minute)}m`
}

/** A whole number with commas between its thousands; the page renderer has no Intl. */
export const grouped = (number: number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',')

/** The lines of a text that say something. */
export const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '')
