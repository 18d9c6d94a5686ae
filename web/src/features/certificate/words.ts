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

// The letters of Instrument Serif, as internal/site/card/fonts has them.
const serif =
  /^[ -~\u00a0-\u0107\u010a-\u0113\u0116-\u011b\u011e-\u0123\u0126\u0127\u012a\u012b\u012e-\u0133\u0136\u0137\u0139-\u013e\u0141-\u0148\u014a-\u014d\u0150-\u015b\u015e-\u0161\u0164\u0165\u016a-\u017e\u0218-\u021b\u1e80-\u1e85\u1ef2\u1ef3\u2013\u2014\u2018-\u201e]*$/

/** The face that has all of a text, as on paper: a word in two faces looks like a mistake. */
export const faceOf = (text: string) => (serif.test(text) ? 'serif' : 'sans')
