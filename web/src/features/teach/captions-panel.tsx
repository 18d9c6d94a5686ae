import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '@/ui/button'
import { Confirm } from '@/ui/confirm'
import { Field, Input, Select, Textarea } from '@/ui/field'
import { toast } from '@/ui/toast'
import { refusalOr } from './api'
import { FileButton } from './file-button'
import { type Caption, readCaptions, type Spoken, useLessonCall } from './lesson-api'
import { Part } from './parts'

const languages = [
  ['en', 'English'],
  ['es', 'Español'],
  ['fr', 'Français'],
  ['de', 'Deutsch'],
  ['it', 'Italiano'],
  ['pt', 'Português'],
  ['pl', 'Polski'],
  ['uk', 'Українська'],
  ['ja', '日本語'],
  ['ko', '한국어'],
  ['zh', '中文'],
  ['ar', 'العربية'],
  ['hi', 'हिन्दी'],
] as const

type CaptionsPanelProps = {
  lesson: string
  captions: Spoken[]
  mayEdit: boolean
  /** Captions are being written that nothing keeps yet. */
  onDirty: (isDirty: boolean) => void
}

/** What is said in a video, per language: from a file, or written here. */
export function CaptionsPanel({ lesson, captions, mayEdit, onDirty }: CaptionsPanelProps) {
  const [open, setOpen] = useState<Caption | null>(null)
  const heading = useRef<HTMLElement>(null)
  const keep = useLessonCall(
    lesson,
    'caption-lesson',
    'Failed to save the captions. Please try again.',
    'Captions saved',
  )
  const remove = useLessonCall(
    lesson,
    'caption-lesson',
    'Failed to delete the captions. Please try again.',
    'Captions deleted',
  )
  const free = languages.find(([code]) => !captions.some(({ language }) => language === code))
  const edit = async ({ language }: Spoken) => {
    try {
      setOpen(await readCaptions(lesson, language))
    } catch (error) {
      toast.error(refusalOr(error, 'Failed to open the captions. Please try again.'))
    }
  }
  const add = (text = '') => setOpen({ language: free?.[0] ?? '', label: free?.[1] ?? '', text })
  return (
    <Part
      ref={heading}
      title="Captions"
      lead="Most people watch without sound at times, and some cannot hear. Upload a .vtt or .srt file, or write them here."
      action={
        mayEdit &&
        !open && (
          <span className="flex flex-wrap gap-2">
            <FileButton
              label="Captions file"
              accept=".vtt,.srt,text/vtt"
              onFile={async (file) => add(await file.text().catch(() => ''))}
            >
              Upload captions
            </FileButton>
            <Button size="small" look="ghost" onClick={() => add('WEBVTT\n\n00:00.000 --> 00:04.000\n')}>
              Write captions
            </Button>
          </span>
        )
      }
    >
      {open ? (
        <Editor
          key={open.language}
          caption={open}
          isNew={!captions.some(({ language }) => language === open.language)}
          onClose={() => {
            setOpen(null)
            heading.current?.querySelector<HTMLElement>('h2')?.focus()
          }}
          onSave={(caption) => keep.mutateAsync({ lesson, ...caption })}
          onDirty={onDirty}
        />
      ) : captions.length === 0 ? (
        <p className="text-muted">No captions yet.</p>
      ) : (
        <ul aria-label="Captions" className="divide-y divide-hairline">
          {captions.map((caption) => (
            <li key={caption.language} className="flex flex-wrap items-center gap-x-3 py-1">
              <span className="min-w-0 font-medium">
                <bdi>{caption.label}</bdi>
              </span>
              <span className="text-meta text-faint">{caption.language}</span>
              {mayEdit && (
                <span className="ml-auto flex">
                  <Button
                    look="ghost"
                    size="small"
                    aria-label={`Edit ${caption.label}`}
                    onClick={() => void edit(caption)}
                  >
                    Edit
                  </Button>
                  <Confirm
                    question={`Delete the captions in ${caption.label}?`}
                    action="Delete"
                    onConfirm={() => remove.mutate({ lesson, ...caption, text: null })}
                    trigger={
                      <Button
                        look="ghost"
                        size="small"
                        aria-label={`Delete ${caption.label}`}
                        className="hover:text-danger"
                      >
                        Delete
                      </Button>
                    }
                  />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

type EditorProps = {
  caption: Caption
  isNew: boolean
  onClose: () => void
  onSave: (caption: Caption) => Promise<unknown>
  onDirty: (isDirty: boolean) => void
}

function Editor({ caption, isNew, onClose, onSave, onDirty }: EditorProps) {
  const [language, setLanguage] = useState(caption.language)
  const [label, setLabel] = useState(caption.label)
  const [text, setText] = useState(caption.text)
  const [isSaving, setSaving] = useState(false)
  const isListed = languages.some(([code]) => code === language)
  // A file that was chosen is not kept either.
  const isDirty = isNew || text !== caption.text
  useEffect(() => {
    onDirty(isDirty)
    return () => onDirty(false)
  }, [isDirty, onDirty])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSaving) return
    setSaving(true)
    // What was refused stays to be corrected.
    await onSave({ language: language.trim(), label: label.trim(), text }).then(onClose, () => undefined)
    setSaving(false)
  }
  return (
    <form aria-label="Captions" noValidate onSubmit={submit} className="grid gap-4">
      {isNew && (
        <div className="grid gap-4 sm:grid-cols-3">
          <Field label="Language">
            {(wiring) => (
              <Select
                {...wiring}
                value={isListed ? language : ''}
                onChange={({ target }) => {
                  setLanguage(target.value)
                  setLabel(languages.find(([code]) => code === target.value)?.[1] ?? '')
                }}
              >
                {languages.map(([code, name]) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
                <option value="">Another language</option>
              </Select>
            )}
          </Field>
          {!isListed && (
            <Field label="Code" hint="Such as nl or pt-BR">
              {(wiring) => (
                <Input
                  {...wiring}
                  value={language}
                  maxLength={35}
                  onChange={({ target }) => setLanguage(target.value)}
                />
              )}
            </Field>
          )}
          <Field label="Name in the menu">
            {(wiring) => (
              <Input
                {...wiring}
                value={label}
                dir="auto"
                maxLength={60}
                onChange={({ target }) => setLabel(target.value)}
              />
            )}
          </Field>
        </div>
      )}
      <Field
        label={isNew ? 'Captions' : `Captions in ${caption.label}`}
        hint="WebVTT or SubRip. Times as 00:01.500 --> 00:04.000, the words below."
      >
        {(wiring) => (
          <Textarea
            {...wiring}
            rows={14}
            spellCheck
            dir="auto"
            value={text}
            onChange={({ target }) => setText(target.value)}
            autoFocus
            className="font-mono text-[0.875rem] leading-relaxed"
          />
        )}
      </Field>
      <div className="flex gap-3">
        <Button type="submit" look="primary" aria-disabled={isSaving}>
          {isSaving ? 'Saving...' : 'Save Captions'}
        </Button>
        <Button look="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
