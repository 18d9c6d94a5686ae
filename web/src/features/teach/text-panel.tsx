import { clsx } from 'clsx'
import { type KeyboardEvent, useDeferredValue, useRef, useState } from 'react'
import { Drawing } from '@/ui/all-icons'
import { Button } from '@/ui/button'
import { IconButton } from '@/ui/icon-button'
import { Markdown } from '@/ui/markdown'
import type { Autosave, DraftState } from './autosave'
import { mostBytes } from './autosave'

export const words: Record<DraftState, string> = {
  saved: 'Saved',
  waiting: '',
  saving: 'Saving…',
  held: 'Not saved yet. Your text is kept in this tab and sent when the server can be reached.',
  conflict: '',
  long: `This text is longer than ${mostBytes / 1000} kB. Shorten it, then it is saved.`,
  refused: 'This text could not be saved.',
}

type TextPanelProps = {
  label: string
  save: Autosave
  state: DraftState
  text: string
  mayEdit: boolean
}

/** The text of a lesson in Markdown: written at the left, seen at the right; one after the other on a phone. */
export function TextPanel({ label, save, state, text, mayEdit }: TextPanelProps) {
  const box = useRef<HTMLTextAreaElement>(null)
  const [isSeen, setSeen] = useState(!mayEdit)
  // Another's version is another field; nothing else ever changes what stands in it.
  const [edition, setEdition] = useState(0)
  const shown = useDeferredValue(text)
  const show = (next: string) => {
    save.type(next)
    setEdition((known) => known + 1)
  }
  return (
    <section aria-label={label} className="rounded-card border border-hairline bg-surface-1">
      <div className="sticky top-(--header) z-10 flex min-h-13 flex-wrap items-center gap-x-1 rounded-t-card border-b border-hairline bg-surface-1 px-2">
        {mayEdit && <Tools box={box} isHidden={isSeen} />}
        <p
          role="status"
          className={clsx(
            'px-2 py-1 text-meta max-lg:order-last max-lg:min-h-8 max-lg:w-full',
            state === 'long' || state === 'refused' ? 'text-danger' : 'text-muted',
          )}
        >
          {state === 'refused' ? save.why || words.refused : words[state]}
        </p>
        {mayEdit && (
          <Button
            look="ghost"
            size="small"
            aria-pressed={isSeen}
            onClick={() => setSeen(!isSeen)}
            className="ml-auto lg:hidden"
          >
            {isSeen ? 'Write' : 'Read'}
          </Button>
        )}
      </div>
      {state === 'conflict' && <Conflict save={save} onTheirs={() => setEdition((known) => known + 1)} />}
      {save.mine !== null && state === 'saved' && (
        <Aside>
          <p>You see the other version. Yours is kept until you leave this page.</p>
          <Button
            size="small"
            onClick={() => {
              const mine = save.mine ?? ''
              save.mine = null
              show(mine)
            }}
          >
            Put mine back
          </Button>
        </Aside>
      )}
      <div className={clsx('grid', mayEdit && 'lg:grid-cols-2 lg:divide-x lg:divide-hairline')}>
        {mayEdit && (
          <textarea
            key={edition}
            ref={box}
            aria-label={`${label} in Markdown`}
            defaultValue={save.text}
            dir="auto"
            spellCheck
            placeholder="Write in Markdown: # heading, - list, > quote, `code`."
            onChange={({ target }) => save.type(target.value)}
            onKeyDown={(event) => byKey(event)}
            className={clsx(
              'field-sizing-content min-h-[52vh] w-full resize-none bg-transparent px-4 py-4 font-mono text-[0.9375rem] leading-relaxed placeholder:text-faint focus-visible:outline-offset-[-2px] sm:px-6',
              isSeen && 'max-lg:hidden',
            )}
          />
        )}
        <div className={clsx('min-w-0 px-4 py-5 sm:px-6 [&_.prose>:first-child]:mt-0', !isSeen && 'max-lg:hidden')}>
          {shown.trim() === '' ? (
            <p className="text-muted">
              {mayEdit ? 'What you write shows here as learners see it.' : 'This lesson has no text.'}
            </p>
          ) : (
            <Markdown text={shown} />
          )}
        </div>
      </div>
    </section>
  )
}

export const Aside = ({ children }: { children: React.ReactNode }) => (
  <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b border-hairline bg-gold/10 px-4 py-3 sm:px-6">
    {children}
  </div>
)

export function Conflict({ save, onTheirs }: { save: Autosave; onTheirs: () => void }) {
  return (
    <Aside>
      <div role="alert" className="min-w-0">
        <p className="font-medium">Somebody else changed this lesson. Reload to see their version.</p>
        <p className="text-meta text-muted">Nothing of yours is lost: it stands below and is kept in this tab.</p>
      </div>
      <span className="flex flex-wrap gap-2">
        <Button size="small" look="primary" onClick={async () => (await save.takeTheirs()) && onTheirs()}>
          Reload
        </Button>
        <Button size="small" onClick={() => void save.keepMine()}>
          Save mine over it
        </Button>
      </span>
    </Aside>
  )
}

type Tool = { label: string; key?: string; before: string; after?: string; drawing: React.ReactNode }

const tools: readonly Tool[] = [
  { label: 'Heading', before: '## ', drawing: <path d="M6 5v14M18 5v14M6 12h12" /> },
  {
    label: 'Bold',
    key: 'b',
    before: '**',
    after: '**',
    drawing: <path d="M7 5h6a3.5 3.5 0 0 1 0 7H7V5Zm0 7h7a3.5 3.5 0 0 1 0 7H7v-7Z" />,
  },
  { label: 'Italic', key: 'i', before: '*', after: '*', drawing: <path d="M10 5h8M6 19h8M14.5 5l-5 14" /> },
  {
    label: 'Link',
    key: 'k',
    before: '[',
    after: '](https://)',
    drawing: (
      <path d="M10 14a4 4 0 0 0 5.7 0l3.1-3.1a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0l-3.1 3.1a4 4 0 0 0 5.7 5.7l1.1-1.1" />
    ),
  },
  { label: 'List', before: '- ', drawing: <path d="M9 6h11M9 12h11M9 18h11M4.5 6v.01M4.5 12v.01M4.5 18v.01" /> },
  { label: 'Quote', before: '> ', drawing: <path d="M5 5v14M10 8h9M10 12h9M10 16h6" /> },
]

/** Puts signs around what is chosen, or before its line, so that the browser's Undo knows of it. */
function apply(box: HTMLTextAreaElement, { before, after }: Tool) {
  box.focus()
  const { selectionStart: start, selectionEnd: end, value } = box
  if (after === undefined) {
    const line = value.lastIndexOf('\n', start - 1) + 1
    box.setSelectionRange(line, line)
    document.execCommand('insertText', false, before)
    box.setSelectionRange(start + before.length, end + before.length)
    return
  }
  document.execCommand('insertText', false, before + value.slice(start, end) + after)
  box.setSelectionRange(start + before.length, end + before.length)
}

function byKey(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
  const tool = tools.find(({ key }) => key === event.key)
  if (!tool) return
  event.preventDefault()
  apply(event.currentTarget, tool)
}

function Tools({ box, isHidden }: { box: React.RefObject<HTMLTextAreaElement | null>; isHidden: boolean }) {
  return (
    <div role="toolbar" aria-label="Markdown" className={clsx('flex', isHidden && 'max-lg:hidden')}>
      {tools.map((tool) => (
        <IconButton
          key={tool.label}
          label={tool.label}
          onClick={() => box.current && apply(box.current, tool)}
          className="rounded-control text-muted"
        >
          <Drawing className="size-4.5">{tool.drawing}</Drawing>
        </IconButton>
      ))}
    </div>
  )
}
