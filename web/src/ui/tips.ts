// Tooltips for controls that show only an icon: their name, for whoever points at one or comes to it by key. One host for
// the whole page, fetched when the first pointer or key moves: such a control needs an `aria-label` and nothing else.

/** How long a pointer rests before the name shows, and how soon after one the next shows at once, in milliseconds. */
const openDelay = 700
const skipDelay = 300

const edge = 12

const look =
  'pointer-events-auto fixed z-[70] max-w-64 py-1.5 animate-[fade_160ms_both] *:block *:rounded-control *:bg-surface-3 *:px-3 *:py-1.5 *:text-meta'

function iconOnly(target: EventTarget | null): Element | null {
  const control = target instanceof Element ? target.closest('button[aria-label], a[aria-label]') : null
  return control?.textContent === '' ? control : null
}

function makeTip() {
  const tip = document.createElement('div')
  tip.role = 'tooltip'
  // For the eye alone: screen readers say the name of the control itself.
  tip.ariaHidden = 'true'
  tip.className = look
  tip.append(document.createElement('span'))
  // A press on it is none beside the dialog that it stands over.
  tip.addEventListener('pointerdown', (event) => event.stopPropagation())
  return tip
}

/** Above the control, or below it where there is no room. */
function place(tip: HTMLElement, control: Element) {
  const { top, bottom, left, width } = control.getBoundingClientRect()
  const { offsetWidth, offsetHeight } = tip
  const middle = left + (width - offsetWidth) / 2
  tip.style.left = `${Math.max(edge, Math.min(middle, innerWidth - offsetWidth - edge))}px`
  tip.style.top = `${top < offsetHeight ? bottom : top - offsetHeight}px`
}

let isStarted = false

/** Starts the host; what it gives ends it again. */
export function startTips() {
  if (isStarted) return () => undefined
  isStarted = true
  const end = new AbortController()
  const tip = makeTip()
  let owner: Element | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let closedAt = Number.NEGATIVE_INFINITY

  const show = () => {
    if (!owner?.isConnected) return
    if (tip.firstElementChild) tip.firstElementChild.textContent = owner.getAttribute('aria-label')
    document.body.append(tip)
    place(tip, owner)
  }
  const hide = () => {
    clearTimeout(timer)
    if (!tip.isConnected) return
    tip.remove()
    closedAt = Date.now()
  }
  const turnTo = (control: Element | null, wait: number) => {
    if (control === owner) return
    hide()
    owner = control
    if (!control) return
    if (Date.now() - closedAt < skipDelay) show()
    else timer = setTimeout(show, wait)
  }
  const listen = <Type extends keyof DocumentEventMap>(type: Type, hear: (event: DocumentEventMap[Type]) => void) =>
    document.addEventListener(type, hear, { capture: true, passive: true, signal: end.signal })

  listen('pointerover', ({ target, pointerType }) => {
    const isOnTip = target instanceof Node && tip.contains(target)
    if (pointerType !== 'touch' && !isOnTip) turnTo(iconOnly(target), openDelay)
  })
  document.documentElement.addEventListener('pointerleave', () => turnTo(null, 0), { signal: end.signal })
  listen('focusin', ({ target }) => {
    const control = iconOnly(target)
    if (control?.matches(':focus-visible')) turnTo(control, 0)
  })
  listen('focusout', () => turnTo(null, 0))
  // Whoever presses knows what it is; the name comes back with the next visit.
  listen('pointerdown', hide)
  listen('scroll', hide)
  listen('keydown', ({ key }) => {
    if (key === 'Escape') hide()
  })
  // The pointer that brought the host here may rest on a control already.
  const hovered = matchMedia('(hover: hover)').matches ? [...document.querySelectorAll(':hover')].at(-1) : undefined
  turnTo(iconOnly(hovered ?? null), openDelay)
  return () => {
    hide()
    end.abort()
    isStarted = false
  }
}
