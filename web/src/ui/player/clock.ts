const two = (number: number) => String(number).padStart(2, '0')

/** A moment of a film as a clock shows it: '1:05', '1:02:05'. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0))
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

const count = (many: number, unit: string) => `${many} ${unit}${many === 1 ? '' : 's'}`

/** The same in words, for who listens: '1 minute 5 seconds'. */
export function inWords(seconds: number): string {
  const whole = Math.max(0, Math.floor(Number.isFinite(seconds) ? seconds : 0))
  const parts = [
    [Math.floor(whole / 3600), 'hour'],
    [Math.floor(whole / 60) % 60, 'minute'],
    [whole % 60, 'second'],
  ] as const
  const said = parts.filter(([many]) => many > 0).map(([many, unit]) => count(many, unit))
  return said.join(' ') || '0 seconds'
}
