/** The button that was pressed before the app was there: internal/site/starter.go marks it. */
export const earlyPress = () => document.querySelector<HTMLElement>('[data-pressed]')

/**
 * The app is there: presses are its own from this moment, and the last one from before gets its answer. Not within
 * React's own turn, in which it would not take over the part of the page that the press falls on.
 */
export function takePress() {
  document.getElementById('scripts')?.remove()
  const button = earlyPress()
  setTimeout(() => {
    button?.click()
    button?.removeAttribute('data-pressed')
  })
}
