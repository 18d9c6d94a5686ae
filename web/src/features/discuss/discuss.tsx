import './discuss.css'
import { Tabs } from 'radix-ui'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { parameter } from '@/lib/address'
import { useReaderId } from '@/lib/session'
import { type Film, useRole } from './api'
import { hasKept } from './kept'
import { Notes, type Writing } from './notes'
import { Questions } from './questions'

type DiscussProps = { course: string; lesson: string; film: Film | null; isEnrolled: boolean }

/** What is written at a lesson: notes for oneself, and questions that everybody in the course sees. */
export function Discuss(props: DiscussProps) {
  const user = useReaderId()
  const role = useRole(props.course)
  if (user === '' || !(props.isEnrolled || role.minds)) return null
  return <Room key={user} {...props} {...role} />
}

function Room({ course, lesson, film, isEnrolled, teaches, minds }: DiscussProps & ReturnType<typeof useRole>) {
  const { search } = useLocation()
  const wanted = parameter(search, 'question')
  const [tab, setTab] = useState(wanted || !isEnrolled ? 'questions' : 'notes')
  const [writing, setWriting] = useState<Writing | null>(() =>
    hasKept(`note.${lesson}`) ? { at: film?.now() ?? null, isKept: true } : null,
  )
  const goOn = useRef<() => void>(() => undefined)
  const from = useRef<{ place: number; focus: Element | null } | null>(null)
  const open = useCallback(() => {
    // Nobody can write below a film that fills the screen.
    if (document.fullscreenElement) void document.exitFullscreen()
    from.current = { place: scrollY, focus: document.activeElement }
    const at = film?.now() ?? null
    if (film) goOn.current = film.hold()
    setTab('notes')
    setWriting({ at, isKept: false })
  }, [film])
  const close = () => {
    setWriting(null)
    goOn.current()
    if (!from.current) return
    // The film goes on: back to where it is seen.
    const { place, focus } = from.current
    from.current = null
    scrollTo({ top: place, behavior: 'instant' })
    if (focus instanceof HTMLElement && focus.isConnected) focus.focus({ preventScroll: true })
  }
  useNoteKey(isEnrolled && !writing, open)
  const posts = <Questions {...{ course, lesson, film, wanted, minds, teaches }} mayPost={isEnrolled || teaches} />
  if (!isEnrolled)
    return (
      <section className="discuss" aria-labelledby="discuss-questions">
        <h2 id="discuss-questions" className="discuss-heading">
          Questions
        </h2>
        {posts}
      </section>
    )
  return (
    <Tabs.Root className="discuss" value={tab} onValueChange={setTab}>
      <Tabs.List className="discuss-tabs" aria-label="Notes and questions">
        <Tabs.Trigger value="notes">Notes</Tabs.Trigger>
        <Tabs.Trigger value="questions">Questions</Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content value="notes" tabIndex={-1}>
        <h2 className="sr-only">Notes</h2>
        <Notes {...{ course, lesson, film, writing }} onWrite={open} onDone={close} />
      </Tabs.Content>
      <Tabs.Content value="questions" tabIndex={-1}>
        <h2 className="sr-only">Questions</h2>
        {posts}
      </Tabs.Content>
    </Tabs.Root>
  )
}

const isTaken =
  'input:not([type=range], [type=radio]), textarea, select, [contenteditable]:not([contenteditable=false]), [role=dialog], [role=menu]'

/** B begins a note at this moment, except where somebody writes or chooses. */
function useNoteKey(isOn: boolean, onPress: () => void) {
  useEffect(() => {
    if (!isOn) return
    const hear = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : document.body
      if (event.key.toLowerCase() !== 'b' || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.defaultPrevented || target.closest(isTaken)) return
      event.preventDefault()
      onPress()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [isOn, onPress])
}
