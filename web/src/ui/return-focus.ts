// Our panels are opened by state and have no trigger of their own to go back to.
let opener: HTMLElement | null = null

const inPanel = (element: Element) => element.closest('[role=dialog], [role=alertdialog]') !== null

/** Brings the focus back to where a panel was opened from, unless it has gone elsewhere meanwhile. */
export const returnFocus = {
  onOpenAutoFocus: () => {
    const active = document.activeElement
    // A panel that opens where another just closed finds the focus nowhere: they share where they were opened from.
    if (active instanceof HTMLElement && active !== document.body && !inPanel(active)) opener = active
  },
  onCloseAutoFocus: (event: Event) => {
    event.preventDefault()
    if (document.activeElement === document.body) opener?.focus()
  },
}
