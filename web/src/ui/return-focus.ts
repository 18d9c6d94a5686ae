// Our panels are opened by state and have no trigger of their own to go back to.
let opener: HTMLElement | null = null

const inPanel = (element: Element) => element.closest('[role=dialog], [role=alertdialog]') !== null

/** Brings the focus back to where a panel was opened from, unless it has gone elsewhere meanwhile. */
export const returnFocus = {
  onOpenAutoFocus: () => {
    const active = document.activeElement
    if (active instanceof HTMLElement && !inPanel(active)) opener = active
  },
  onCloseAutoFocus: (event: Event) => {
    event.preventDefault()
    if (document.activeElement === document.body) opener?.focus()
  },
}
